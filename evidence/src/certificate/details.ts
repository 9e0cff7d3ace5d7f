// What a certificate prints in addition to the facts. It does not affect the score.

import type { Entry } from "../entry.ts";

export type PrintedEntry = Pick<Entry, "seq" | "at" | "type" | "actor" | "hash">;

/** The exact text; the SHA-256 of its UTF-8 bytes is `sha256`. */
export type PrintedText = {
  readonly kind: "disclosure" | "intent" | "terms";
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
  /** the whole chain up to this evaluation */
  readonly entries: readonly PrintedEntry[];
  /** the content of every text that the facts name */
  readonly texts: readonly PrintedText[];
  /** known names of users, by ID */
  readonly people: Readonly<Record<string, string>>;
  readonly paper: "a4" | "letter";
};

export type CertificateDetails = CertificateExtras & { readonly certificate_id: string };

export const certificateId = (envelope_id: string, revision: number): string => `${envelope_id}-r${revision}`;
