import type { RevocationDeps } from "./fetch-revocation.ts";

/** SEAL_LEVEL: the highest level to make; `auto` is B-LTA. */
export type HighestLevel = "auto" | "b-b" | "b-t" | "b-lt";

/** What it takes to make a seal that lasts longer than its certificate. */
export interface LongTerm {
  readonly highest: HighestLevel;
  readonly revocations: RevocationDeps;
  /** The current revocation list of the installation's root, DER. Null: there is none, so own seals stay at B-T. */
  readonly ownCrl: (() => Promise<Uint8Array>) | null;
}
