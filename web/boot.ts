import { takeFragment } from "./fragment.ts";
import { firstKnown, type Locale } from "./i18n/locales.ts";
import { store, stored } from "./storage.ts";

/**
 * Inside the page itself, before any other script: takes the token out of the address, and asks for the session and page 1 while the rest
 * of the page is still on its way.
 */

/** What the service wrote into the page. Beyond `origins` only on the page of a mail's link. */
interface Block {
  readonly origins: readonly string[];
  readonly slug?: string;
  readonly envelope_id?: string | null;
  readonly token?: string | null;
  /** the link leads nowhere, or the envelope ended */
  readonly problem?: string;
}

export interface Boot {
  readonly block: Block;
  readonly envelope_id: string;
  /** everything done under this number is recorded together */
  readonly session: string;
  readonly token: string | null;
  readonly lang: Locale | undefined;
  /** from the host's page, not yet checked */
  readonly theme: unknown;
  readonly opened: Promise<Response> | null;
  readonly first_page: Promise<Response> | null;
}

declare global {
  /** which page this is built for: its calls go to its own part of the API */
  const WIDGET: "sign" | "vault";
  interface Window {
    boot: Boot;
  }
}

const given = takeFragment();

const block: Block = JSON.parse(document.getElementById("boot")?.textContent ?? "") ?? { origins: [] };
const envelope_id = block.envelope_id ?? (block.slug === undefined ? (location.pathname.split("/")[2] ?? "") : "");

const newSession = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const key = envelope_id === "" ? null : envelope_id;
const session = (key && stored(`session ${key}`)) || newSession();
const isTop = window === window.parent;
const token = given.token ?? block.token ?? (isTop && key ? stored(`token ${key}`) : null);
if (key) {
  store(`session ${key}`, session);
  // A reload of a page of its own goes on; in a frame the host has to give a token again.
  if (isTop && token) store(`token ${key}`, token);
}
const lang = firstKnown([stored("lang"), new URLSearchParams(location.search).get("lang"), ...navigator.languages]);

const ask = (path: string): Promise<Response> =>
  fetch(`/api/v2/embed/${WIDGET}/${envelope_id}${path}`, { headers: { authorization: `Bearer ${token}`, "x-signing-session": session } });
const asks = token !== null && key !== null;
const opened = asks ? ask(lang === undefined ? "" : `?lang=${lang}`) : null;
const first_page = asks ? ask("/pages/1") : null;
// Whoever waits for them is told; until then nobody is.
opened?.catch(() => undefined);
first_page?.catch(() => undefined);

window.boot = { block, envelope_id, session, token, lang, theme: given.theme, opened, first_page };
