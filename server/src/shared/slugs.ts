import { randomBytes } from "node:crypto";

declare const brand: unique symbol;
/** Identifies a signer in links, in the API and in the audit trail. It gives no access; that requires the secret of a link, or a token. */
export type Slug = string & { readonly [brand]: "slug" };

// Hexadecimal, because mail programs that turn text into links drop a trailing dash or underscore.
export const SLUG_PATTERN = "^[0-9a-f]{32}$";
const pattern = new RegExp(SLUG_PATTERN);

export function newSlug(): Slug {
  return randomBytes(16).toString("hex") as Slug;
}

export function isSlug(text: string): text is Slug {
  return pattern.test(text);
}
