import { parseUrl } from "./address.ts";
import { EmbedError } from "./embed-error.ts";

/** Returns a new embed_url from the backend of the host. */
export type Renew = () => Promise<string>;

// A token has 180 s left when a new one is requested. After this timeout the page may ask again.
const RENEWAL_TIMEOUT_MS = 15_000;

/** Rejects if no answer arrives in time. The answer is validated by the caller. */
export function askForUrl(renew: Renew | null | undefined, renewUrl: string | null): Promise<unknown> {
  if (renew) return withTimeout(renew());
  if (renewUrl === null) throw new EmbedError("the page needs a new token, but neither renew-url nor renew is set");
  return withTimeout(postForUrl(sameOriginUrl(renewUrl, document.baseURI, location.origin)));
}

/** A foreign address could decide what is framed, and the session cookie of the host would not be sent to it. */
export function sameOriginUrl(renewUrl: string, base: string, origin: string): string {
  const url = parseUrl(renewUrl, base);
  if (url.origin !== origin) throw new EmbedError("renew-url must have the origin of this page");
  return url.href;
}

async function postForUrl(url: string): Promise<unknown> {
  const response = await fetch(url, { method: "POST", mode: "same-origin", headers: { accept: "application/json" }, cache: "no-store" });
  if (!response.ok) throw new EmbedError(`renew-url responded with ${response.status}`);
  const answer: unknown = await response.json();
  return (answer as { embed_url?: unknown } | null)?.embed_url;
}

function withTimeout<T>(asked: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EmbedError("no new embed_url arrived in time")), RENEWAL_TIMEOUT_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
