import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import { type EnvelopeId, type HoldId, newId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { policyOf } from "../acts/policy-store.ts";
import { type LockedCopy, requireState, type VaultDeps } from "../copy.ts";
import { lockCopy, lockCopyById } from "../copy-store.ts";
import { findPrincipal, isSamePrincipal, lookUpPrincipal } from "../principal-store.ts";
import { refuseGated } from "../registry/refuse-gated.ts";
import type { LegalHold } from "./hold.ts";
import { findHold, insertHold, releaseHold } from "./store.ts";

/** Takes effect immediately, also for a copy in escrow: an export cannot be acknowledged during a hold. What has left is not destroyed under one. */
export function placeHold(deps: Pick<VaultDeps, "db">, caller: Caller, envelope_id: EnvelopeId, reason: string): Promise<LegalHold> {
  const { org, actor } = caller;
  return deps.db.tx(org, async (tx) => {
    const copy = await lockCopy(tx, org, envelope_id);
    requireState(copy, "active", "escrowed", "tampered", "exported", "transferred", "papering", "papered");
    const hold_id = newId("legalHold", copy.now.getTime());
    const { copy_id } = copy;
    await insertHold(tx, org, { hold_id, envelope_id, copy_id, reason, placed_by: actor, placed_at: copy.now });
    await appendAudit(tx, org, { type: "vault.hold_placed", by: caller, envelope_id, data: { hold_id, copy_id, reason } });
    return findHold(tx, org, envelope_id, hold_id);
  });
}

/**
 * Does nothing if the hold was already released. Where parties must confirm what happens to a record, the person who placed a hold does not
 * release it.
 */
export function liftHold(deps: Pick<VaultDeps, "db">, caller: Caller, envelope_id: EnvelopeId, hold_id: HoldId): Promise<LegalHold> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const hold = await findHold(tx, org, envelope_id, hold_id);
    const copy = await lockCopyById(tx, org, hold.copy_id);
    if (hold.released_at === null && (await policyOf(tx, org, envelope_id)) === "confirmed") {
      const placed = await lookUpPrincipal(tx, org, hold.placed_by);
      if (placed !== null && isSamePrincipal(placed, await findPrincipal(tx, caller))) throw new Problem("same_principal");
    }
    if (hold.released_at === null) await refuseGated(tx, org, "release_hold");
    await releaseTheHold(tx, caller, copy, hold_id);
    return findHold(tx, org, envelope_id, hold_id);
  });
}

/** Under the copy's lock. */
export async function releaseTheHold(tx: Tx, caller: Caller, { copy_id, envelope_id, now }: LockedCopy, hold_id: HoldId): Promise<void> {
  const { org, actor } = caller;
  if (!(await releaseHold(tx, org, hold_id, actor, now))) return;
  await appendAudit(tx, org, { type: "vault.hold_released", by: caller, envelope_id, data: { hold_id, copy_id } });
}
