import { objectIn, parseUrl } from "./address.ts";
import { EmbedError } from "./embed-error.ts";

/** What the host chooses for the signing page. The page ignores words that it does not know. */

/** Parts of the signing page that a host can hide. */
export type HiddenPart = "header" | "decline" | "download";
/** Ways to create a signature that a host can allow. */
export type SignatureMethod = "draw" | "type" | "upload";

/** Values for the signer's fields by name; true ticks a box. */
export type Prefill = Readonly<Record<string, string | boolean>>;

export interface PageOptions {
  readonly hide: readonly string[];
  readonly methods: readonly string[];
  readonly prefill: Prefill;
}

/** From the JSON of an attribute. Throws if it is not an object of texts and booleans. */
export function readPrefill(json: string | null): Prefill {
  if (!json) return {};
  const values = objectIn(json);
  const isAllowed = values !== null && Object.values(values).every((value) => typeof value === "string" || typeof value === "boolean");
  if (!isAllowed) throw new EmbedError("prefill must be a JSON object of field names with texts or booleans");
  return values as Prefill;
}

/** Words that are separated by spaces or commas. */
export const wordsIn = (list: string | null): string[] => (list ?? "").split(/[\s,]+/).filter((word) => word !== "");

/** An address for the host's own page to go to. Throws for anything but http and https: `javascript:` would run in the host page. */
export function readTarget(given: string, base: string): string {
  const { protocol, href } = parseUrl(given, base);
  if (protocol !== "https:" && protocol !== "http:") throw new EmbedError("completed-url and declined-url must be http or https addresses");
  return href;
}
