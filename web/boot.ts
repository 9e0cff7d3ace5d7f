import type { CreateLinkTokenRequest, LinkToken } from "@countersign/client/pages";
import type { Locale } from "@countersign/client/types";
import { takeFragment } from "./fragment.ts";
import { firstKnown } from "./i18n/locales.ts";
import { store, stored } from "./storage.ts";
import type { AddressOf } from "./widget-operations.ts";

/**
 * Inlined in the page, before any other script: takes the token or the secret out of the address, and requests the session and page 1 while
 * the rest of the page is still loading.
 */

/** The data that the service wrote into the page. */
interface Block {
  readonly origins: readonly string[];
  /** only on the page of a signing link; null if the address is not a valid link */
  readonly slug?: string | null;
}

export interface Boot {
  readonly block: Block;
  /** empty on the page of a link until the link is exchanged for a token */
  readonly envelope_id: string;
  /** groups the recorded actions of one signing session */
  readonly session: string;
  readonly token: string | null;
  /** secret of a signing link */
  readonly secret: string | null;
  /** the exchange of a link for a token; null on other pages */
  readonly linked: Promise<Response> | null;
  readonly lang: Locale | undefined;
  /** from the host page, not validated yet */
  readonly theme: unknown;
  readonly opened: Promise<Response> | null;
  readonly first_page: Promise<Response> | null;
  /** messages of the framing page that arrive before the code that reads them; null on a page that is not in a frame */
  readonly early: EarlyMessages | null;
}

interface EarlyMessages {
  /** Passes on what has arrived, and everything that arrives from now on. */
  take(read: (event: MessageEvent) => void): void;
}

declare global {
  /** which page this is built for; selects the path of its API */
  const WIDGET: "sign" | "vault" | "preview";
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

// Kept for reloads, because the secret is removed from the address.
const secret = given.secret ?? stored(`secret ${slug}`);
if (secret !== null) store(`secret ${slug}`, secret);
// Each link has its own session, so that each is recorded separately.
const key = slug === undefined ? envelope_id : `${slug} ${secret}`;
const session = stored(`session ${key}`) ?? newSession();
store(`session ${key}`, session);
const isTop = window === window.parent;

function keepMessages(): EarlyMessages {
  const kept: MessageEvent[] = [];
  let take = (event: MessageEvent): void => void kept.push(event);
  addEventListener("message", (event) => take(event));
  return {
    take: (read) => {
      take = read;
      kept.forEach(read);
    },
  };
}
const token = given.token ?? (isTop ? stored(`token ${envelope_id}`) : null);
// Kept for reloads of a top-level page. In a frame the host provides a new token.
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
/** If the exchange of the link fails, its answer is used for all requests. */
const askBy = (path: string): Promise<Response> | null => {
  if (linked) return linked.then(async (answer) => (answer.ok ? ask(path, (await answer.clone().json()).data) : answer.clone()));
  return token && envelope_id ? ask(path, { envelope_id, token }) : null;
};
// The vault record has no localized texts.
const opened = askBy(lang === undefined || WIDGET === "vault" ? "" : `?lang=${lang}`);
const first_page = askBy("/pages/1");
// Errors are handled where the promises are awaited. This avoids unhandled rejections until then.
opened?.catch(() => undefined);
first_page?.catch(() => undefined);

window.boot = {
  block,
  envelope_id,
  session,
  token,
  secret,
  linked,
  lang,
  theme: given.theme,
  opened,
  first_page,
  early: isTop ? null : keepMessages(),
};
