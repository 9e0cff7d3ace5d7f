import type { Link, OriginFacts } from "@countersign/evidence";
import type { AnyFacts } from "./rules-of.ts";
import type { AnyManifest } from "./steps/02-manifest.ts";
import type { Trust } from "./steps/03-trust.ts";
import type { Times } from "./steps/06-time.ts";

/** What a bundle that passed all steps showed. */
export type Checked = {
  readonly manifest: AnyManifest;
  readonly trust: Trust;
  readonly links: readonly Link[];
  readonly times: Times;
  readonly facts: AnyFacts;
  /** the vault before; null for a record that was first vaulted here */
  readonly origin: CheckedOrigin | null;
  readonly notes: readonly string[];
};

/** A record that another vault released to this one: what that vault's own bundle showed. */
export type CheckedOrigin = {
  /** of the vault that sealed the record */
  readonly first: Checked;
  /** what the facts must say about it */
  readonly facts: OriginFacts;
  readonly notes: readonly string[];
};
