import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import type { SealDeps } from "../seals/seal.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import type { AuthoritativeCopyId, EnvelopeId } from "../shared/ids.ts";
import type { LogDeps } from "../transparency/checkpoint.ts";

export interface PipelineDeps extends EnvelopeDeps {
  readonly publicUrl: string;
  readonly seals: SealDeps;
  readonly log: LogDeps;
}

/** What the pipeline does is nobody's act in particular. */
export const PIPELINE = asSystem(systemOrigin("countersign worker", "vault.store"));

/** What the seal of an authoritative copy says for itself, in every reader. */
export const reasonOf = (copy_id: AuthoritativeCopyId, envelope_id: EnvelopeId): string =>
  `Authoritative copy ${copy_id} of ${envelope_id}`;

/** Logical, never a place on a disk. */
export const vaultPath = (org: string, envelope_id: EnvelopeId, name: string): string => `${org}/vault/${envelope_id}/${name}`;
