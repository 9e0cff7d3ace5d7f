import { type OwnSeal, verifyOwnSeal } from "../seals/verify-own-seal.ts";
import type { OrgId } from "../shared/ids.ts";
import type { AuthoritativeCopy } from "./copy.ts";
import { type Origin, verifyOriginSeal } from "./links/origin.ts";
import type { PipelineDeps } from "./vault.ts";

/** The seal of an authoritative copy: this organization's, or that of the vault that sealed the record. */
export async function verifySealOf(
  deps: Pick<PipelineDeps, "pdf" | "seals">,
  org: OrgId,
  { copy_id, seal_id, sealed_at }: AuthoritativeCopy,
  bytes: Uint8Array,
  { origin, proofs }: { readonly origin: Origin | null; readonly proofs?: readonly string[] },
): Promise<OwnSeal> {
  if (origin !== null) return verifyOriginSeal(deps, org, bytes, origin.files);
  if (seal_id === null) throw new Error(`${copy_id} has neither a seal of ours nor an origin`);
  return verifyOwnSeal(deps.seals, org, bytes, { seal_id, at: sealed_at, ...(proofs !== undefined && { proofs }) });
}
