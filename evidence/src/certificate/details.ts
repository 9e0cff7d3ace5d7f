// What a certificate prints in addition to the facts. It does not affect the score.

import type { MarkRow } from "../signed-content.ts";
import type { Link } from "../verify-chain.ts";

/** A signature or initials as adopted: JSON of a drawn or typed mark, or a PNG. It is printed only if its bytes have this hash. */
export type PrintedMark = Pick<MarkRow, "sha256" | "method" | "content">;

/** The exact text; the SHA-256 of its UTF-8 bytes is `sha256`. */
export type PrintedText = {
  readonly kind: "disclosure" | "intent" | "terms" | "agreement";
  readonly version: string;
  readonly sha256: string;
  readonly text: string;
};

export type CertificateExtras = {
  /** SHA-256 of the canonical facts, `facts.json` in the bundle */
  readonly facts_sha256: string;
  /** SHA-256 of the installation's root certificate (DER) */
  readonly root_sha256: string;
  /** where the installation publishes its keys; null if it has no public address */
  readonly trust_address: string | null;
  /** the public page that says the present state of the record; null if it has none */
  readonly status_url: string | null;
  /** where readers get the verifier, and the SHA-256 of what they get there, if it is known */
  readonly verifier: { readonly address: string; readonly sha256: string | null } | null;
  /** the chain; entries after the one at which the facts end are not printed */
  readonly links: readonly Link[];
  /** the marks of the signatures that the facts name */
  readonly marks: readonly PrintedMark[];
  /** the content of every text that the facts name */
  readonly texts: readonly PrintedText[];
  /** known names of users, by ID */
  readonly people: Readonly<Record<string, string>>;
  readonly paper: "a4" | "letter";
};

export type CertificateDetails = CertificateExtras & { readonly certificate_id: string };

export const certificateId = (envelope_id: string, revision: number): string => `${envelope_id}-r${revision}`;
