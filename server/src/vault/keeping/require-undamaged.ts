import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { BlobDamaged, BlobMissing, StoreUnavailable } from "../../storage/blob-store.ts";
import { problemOfOutage } from "../../storage/problem-of-outage.ts";
import { requireState, type VaultDeps } from "../copy.ts";
import { lookUpCopy } from "../copy-store.ts";
import { verifyCopy } from "./verify-copy.ts";

type Deps = Pick<VaultDeps, "db" | "storage">;

/**
 * Reads and hashes the authoritative bytes before anything is made from a vaulted document. Does nothing if the copy has left or is not
 * stored yet.
 */
export async function requireUndamaged(deps: Deps, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  const copy = await deps.db.tx(org, (tx) => lookUpCopy(tx, org, envelope_id));
  if (copy === null) return;
  requireState(copy, "active", "escrowed", "exported", "transferred", "papering", "papered");
  if (copy.state === "exported" || copy.state === "transferred" || copy.state === "papered") return;
  await refuseDamaged(deps, org, envelope_id, () => deps.storage.blobs.read(org, copy.sha256));
}

/** Turns errors of the store for a vaulted document into problems of the API. Damage is verified as in the sweep, which records it. */
export async function refuseDamaged<T>(deps: Deps, org: OrgId, envelope_id: EnvelopeId, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const cause = error instanceof Problem ? error.cause : error;
    if (cause instanceof StoreUnavailable) throw problemOfOutage(cause);
    const isDamage = cause instanceof BlobDamaged || cause instanceof BlobMissing;
    if (isDamage && (await verifyCopy(deps, org, envelope_id)) === "tampered") {
      throw new Problem("copy_wrong_state", cause.message, { words: { state: "tampered" }, cause });
    }
    throw error;
  }
}
