// What a certificate prints beside the facts. None of it plays a part in the score.

import type { Entry } from "../entry.ts";

export type PrintedEntry = Pick<Entry, "seq" | "at" | "type" | "actor" | "hash">;

/** The exact bytes of a text as characters: whoever hashes them gets `sha256`. */
export type PrintedText = {
  readonly kind: "disclosure" | "intent" | "terms";
  readonly version: string;
  readonly sha256: string;
  readonly text: string;
};

export type CertificateMore = {
  /** of the canonical facts: `facts.json` in the bundle */
  readonly facts_sha256: string;
  /** of the installation's root certificate, DER */
  readonly root_sha256: string;
  /** where the installation publishes its keys; null if it has no public address */
  readonly trust_address: string | null;
  /** the whole chain up to this evaluation */
  readonly entries: readonly PrintedEntry[];
  /** every text that the facts name, with its characters */
  readonly texts: readonly PrintedText[];
  /** names of users by id, as far as they are known */
  readonly people: Readonly<Record<string, string>>;
  readonly paper: "a4" | "letter";
};

export type CertificateDetails = CertificateMore & { readonly certificate_id: string };

export const certificateId = (envelope_id: string, revision: number): string => `${envelope_id}-r${revision}`;
