import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import { type EnvelopeId, type HoldId, newId } from "../../shared/ids.ts";
import { requireState, type VaultDeps } from "../copy.ts";
import { lockCopy, lockCopyById } from "../copy-store.ts";
import type { LegalHold } from "./hold.ts";
import { findHold, insertHold, releaseHold } from "./store.ts";

/** Takes effect immediately, also for a copy in escrow: an export cannot be acknowledged during a hold. */
export function placeHold(deps: Pick<VaultDeps, "db">, caller: Caller, envelope_id: EnvelopeId, reason: string): Promise<LegalHold> {
  const { org, actor } = caller;
  return deps.db.tx(org, async (tx) => {
    const copy = await lockCopy(tx, org, envelope_id);
    requireState(copy, "active", "escrowed", "tampered");
    const hold_id = newId("legalHold", copy.now.getTime());
    const { copy_id } = copy;
    await insertHold(tx, org, { hold_id, envelope_id, copy_id, reason, placed_by: actor, placed_at: copy.now });
    await appendAudit(tx, org, { type: "vault.hold_placed", by: caller, envelope_id, data: { hold_id, copy_id, reason } });
    return findHold(tx, org, envelope_id, hold_id);
  });
}

/** Does nothing if the hold was already released. */
export function liftHold(deps: Pick<VaultDeps, "db">, caller: Caller, envelope_id: EnvelopeId, hold_id: HoldId): Promise<LegalHold> {
  const { org, actor } = caller;
  return deps.db.tx(org, async (tx) => {
    const { copy_id } = await findHold(tx, org, envelope_id, hold_id);
    const { now } = await lockCopyById(tx, org, copy_id);
    if (await releaseHold(tx, org, hold_id, actor, now)) {
      await appendAudit(tx, org, { type: "vault.hold_released", by: caller, envelope_id, data: { hold_id, copy_id } });
    }
    return findHold(tx, org, envelope_id, hold_id);
  });
}
