import type { CreateLinkTokenRequest, LinkToken } from "@countersign/client/pages";
import type { Locale } from "@countersign/client/types";
import { takeFragment } from "./fragment.ts";
import { firstKnown } from "./i18n/locales.ts";
import { store, stored } from "./storage.ts";
import type { AddressOf } from "./widget-operations.ts";

/**
 * Inside the page itself, before any other script: takes the token or the secret out of the address, and asks for the session and page 1
 * while the rest of the page is still on its way.
 */

/** What the service wrote into the page. */
interface Block {
  readonly origins: readonly string[];
  /** on the page of a signing link only; null for an address that cannot be one */
  readonly slug?: string | null;
}

export interface Boot {
  readonly block: Block;
  /** empty on the page of a link, until it was exchanged for a token */
  readonly envelope_id: string;
  /** everything done under this number is recorded together */
  readonly session: string;
  readonly token: string | null;
  /** of a signing link */
  readonly secret: string | null;
  /** the answer to the exchange of a link; null on other pages */
  readonly linked: Promise<Response> | null;
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
const { slug } = block;
const envelope_id = slug === undefined ? (location.pathname.split("/")[2] ?? "") : "";

const newSession = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// A reload of the page goes on with the secret, which is not in the address any more.
const secret = given.secret ?? stored(`secret ${slug}`);
if (secret !== null) store(`secret ${slug}`, secret);
// Another link is another session: each is recorded as what it is.
const key = slug === undefined ? envelope_id : `${slug} ${secret}`;
const session = stored(`session ${key}`) ?? newSession();
store(`session ${key}`, session);
const isTop = window === window.parent;
const token = given.token ?? (isTop ? stored(`token ${envelope_id}`) : null);
// A reload of a page of its own goes on; in a frame the host has to give a token again.
if (isTop && token) store(`token ${envelope_id}`, token);
const lang = firstKnown([stored("lang"), new URLSearchParams(location.search).get("lang"), ...navigator.languages]);

const ask = (path: string, by: Pick<LinkToken, "envelope_id" | "token">): Promise<Response> =>
  fetch(`/api/v2/embed/${WIDGET}/${by.envelope_id}${path}`, {
    headers: { authorization: `Bearer ${by.token}`, "x-signing-session": session },
  });
const linked = slug
  ? fetch(`/api/v2/embed/links/${slug}/token` satisfies AddressOf<"create_link_token">, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify((secret === null ? {} : { secret }) satisfies CreateLinkTokenRequest),
    })
  : null;
/** What the link answers when it opens nothing is the answer to everything. */
const askBy = (path: string): Promise<Response> | null => {
  if (linked) return linked.then(async (answer) => (answer.ok ? ask(path, (await answer.clone().json()).data) : answer.clone()));
  return token && envelope_id ? ask(path, { envelope_id, token }) : null;
};
// The record of the vault has no texts in a language.
const opened = askBy(lang === undefined || WIDGET === "vault" ? "" : `?lang=${lang}`);
const first_page = askBy("/pages/1");
// Whoever waits for them is told; until then no one is.
opened?.catch(() => undefined);
first_page?.catch(() => undefined);

window.boot = { block, envelope_id, session, token, secret, linked, lang, theme: given.theme, opened, first_page };
