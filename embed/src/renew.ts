import { parseUrl } from "./address.ts";
import { Refusal } from "./refuse.ts";

/** How the host gets a new embed_url: a function of its own, or an address of its backend. */
export type Renew = () => Promise<string>;

// A token has 180 s left when a new one is asked for. After this long the next message may ask again.
const RENEWAL_TIMEOUT_MS = 15_000;

/** Rejects when there is none in time; what comes is not looked at here. */
export function askForUrl(renew: Renew | null | undefined, renewUrl: string | null): Promise<unknown> {
  if (renew) return inTime(renew());
  if (renewUrl === null) throw new Refusal("the page needs a new token, and neither renew-url nor renew is set");
  return inTime(postForUrl(sameOriginUrl(renewUrl, document.baseURI, location.origin)));
}

/** A foreign address would get to say what is framed; and the cookie that tells the host's backend who asks does not go there. */
export function sameOriginUrl(renewUrl: string, base: string, origin: string): string {
  const url = parseUrl(renewUrl, base);
  if (url.origin !== origin) throw new Refusal("renew-url must be of this page's own origin");
  return url.href;
}

async function postForUrl(url: string): Promise<unknown> {
  const response = await fetch(url, { method: "POST", mode: "same-origin", headers: { accept: "application/json" }, cache: "no-store" });
  if (!response.ok) throw new Refusal(`renew-url answered ${response.status}`);
  const answer: unknown = await response.json();
  return (answer as { embed_url?: unknown } | null)?.embed_url;
}

function inTime<T>(asked: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal("no new embed_url came in time")), RENEWAL_TIMEOUT_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
