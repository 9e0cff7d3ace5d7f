import { appendAudit } from "../../audit/append-audit.ts";
import { lockRow } from "../../envelopes/store.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { nameInTurns } from "../../storage/hash.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";
import { type AuthoritativeCopy, requireState, type VaultDeps } from "../copy.ts";
import { findCopy, lockCopy, setCopyState } from "../copy-store.ts";
import { markVerified } from "./store.ts";
import { blobsOf, damagedBlob, readCopyFiles, recordDamage } from "./verify-copy.ts";

/**
 * Restores the bytes of a damaged copy, its certificates or its evidence file from a backup. Only bytes with a recorded hash are accepted.
 * The copy gets its previous state back only if nothing else is wrong with it. Returns the remaining damage, or null.
 */
export async function restoreCopy(
  deps: Pick<VaultDeps, "db" | "storage">,
  caller: Caller,
  envelope_id: EnvelopeId,
  bytes: Uint8Array,
): Promise<string | null> {
  const { org } = caller;
  const name = await nameInTurns(bytes);
  const { copy, files } = await deps.db.tx(org, async (tx) => ({
    copy: await findCopy(tx, org, envelope_id),
    files: await readCopyFiles(tx, org, envelope_id),
  }));
  requireState(copy, "tampered");
  if (!blobsOf(copy, files).some(({ sha256 }) => sha256 === name.sha256)) throw new Problem("bytes_not_recorded", name.sha256);
  await storeBlob(deps.storage, org, bytes, name);
  const damaged = await damagedBlob(deps, org, copy, files);
  return deps.db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    const locked = await lockCopy(tx, org, envelope_id);
    requireState(locked, "tampered");
    await keepBlob(tx, org, name.sha256);
    const state = stateBefore(locked);
    const damage = damaged ?? (await recordDamage(tx, org, envelope, { ...locked, state }));
    if (damage !== null) return damage.what;
    await setCopyState(tx, org, locked, state);
    await markVerified(tx, org, locked);
    const data = { copy_id: locked.copy_id, hash: name.sha256, state };
    const type = "vault.document.restored";
    const { hash } = await appendAudit(tx, org, { type, by: caller, envelope_id, data });
    await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
    return null;
  });
}

function stateBefore({ copy_id, state_before_tamper }: AuthoritativeCopy): "active" | "escrowed" | "papering" {
  if (state_before_tamper === "active" || state_before_tamper === "escrowed" || state_before_tamper === "papering")
    return state_before_tamper;
  throw new Error(`the state of ${copy_id} before the damage is unknown`);
}
