import { authoritativeSealReason } from "@countersign/evidence";
import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import type { SealDeps } from "../seals/seal.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import type { AuthoritativeCopyId, EnvelopeId } from "../shared/ids.ts";
import type { LogDeps } from "../transparency/checkpoint.ts";
import type { AuthoritativeCopy } from "./copy.ts";

export interface PipelineDeps extends EnvelopeDeps {
  readonly publicUrl: string;
  /** of the page at /verify/, which certificates name; null if it is not built */
  readonly verifierSha256: string | null;
  readonly seals: SealDeps;
  readonly log: LogDeps;
  /** DER; certificates under which signatures in uploads name their signer (UPLOAD_TRUST_FILE) */
  readonly uploadRoots: readonly Uint8Array[];
}

/** The pipeline acts as the system. */
export const PIPELINE = asSystem(systemOrigin("countersign worker", "vault.store"));

/** The reason that PDF readers show for the seal of an authoritative copy. */
export const reasonOf = (copy_id: AuthoritativeCopyId, envelope_id: EnvelopeId): string => authoritativeSealReason(copy_id, envelope_id);

/** Where anyone who knows the code can ask for the present state of a record. */
export const statusUrl = (publicUrl: string, { verify_code }: Pick<AuthoritativeCopy, "verify_code">): string =>
  `${publicUrl}/v/${verify_code}`;

/** A logical path, not a location on a disk. */
export const vaultPath = (org: string, envelope_id: EnvelopeId, name: string): string => `${org}/vault/${envelope_id}/${name}`;
