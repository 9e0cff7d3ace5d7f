import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import type { OrgId, PermissionId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { type LockedCopy, requireState, type VaultDeps } from "../copy.ts";
import { lockCopyById } from "../copy-store.ts";
import { statusOf, type Transfer } from "./permission.ts";
import { activateTransfer, closeTransfer, findTransfer, isMember, lockMember, releaseCustodian } from "./store.ts";

/**
 * Makes the receiver the custodian in place of the present one, in one transaction. The release comes first, because the index that allows
 * one active custodian cannot be deferred.
 */
export function acceptTransfer(deps: Pick<VaultDeps, "db">, caller: Caller, permission_id: PermissionId): Promise<Transfer> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { copy, transfer } = await lockTransfer(tx, org, permission_id);
    refuseInitiator(caller, transfer);
    refuseOtherMember(caller, transfer);
    refuseClosed(transfer);
    requireState(copy, "active");
    const { user_id, from_user_id, envelope_id } = transfer;
    if (!(await lockMember(tx, org, user_id))) throw new Problem("receiver_gone");
    const released_permission_id = await releaseCustodian(tx, org, copy);
    if (!(await activateTransfer(tx, org, copy, permission_id))) throw new Problem("custody_changed", `at ${copy.custody_version}`);
    const data = { permission_id, user_id, from_user_id, released_permission_id };
    const type = "custody.accepted";
    const { hash } = await appendAudit(tx, org, { type, by: caller, envelope_id, data });
    // The record lost check 3 when its custodian left the organization.
    if (from_user_id !== null && !(await isMember(tx, org, from_user_id))) {
      await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
    }
    return findTransfer(tx, org, permission_id);
  });
}

export function rejectTransfer(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  permission_id: PermissionId,
  reason: string | null,
): Promise<Transfer> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { copy, transfer } = await lockTransfer(tx, org, permission_id);
    refuseInitiator(caller, transfer);
    refuseOtherMember(caller, transfer);
    refuseClosed(transfer);
    await closeTransfer(tx, org, copy, permission_id, "rejected");
    const { envelope_id } = transfer;
    await appendAudit(tx, org, { type: "custody.rejected", by: caller, envelope_id, data: { permission_id, reason } });
    return findTransfer(tx, org, permission_id);
  });
}

/** Allowed for anyone who can initiate a transfer. */
export function cancelTransfer(deps: Pick<VaultDeps, "db">, caller: Caller, permission_id: PermissionId): Promise<Transfer> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { copy, transfer } = await lockTransfer(tx, org, permission_id);
    refuseClosed(transfer);
    await closeTransfer(tx, org, copy, permission_id, "cancelled");
    const { envelope_id } = transfer;
    await appendAudit(tx, org, { type: "custody.cancelled", by: caller, envelope_id, data: { permission_id } });
    return findTransfer(tx, org, permission_id);
  });
}

/** Finds the copy of the transfer, locks it, and reads the transfer again under the lock. */
async function lockTransfer(tx: Tx, org: OrgId, permission_id: PermissionId): Promise<{ copy: LockedCopy; transfer: Transfer }> {
  const { copy_id } = await findTransfer(tx, org, permission_id);
  const copy = await lockCopyById(tx, org, copy_id);
  return { copy, transfer: await findTransfer(tx, org, permission_id) };
}

/** Two different credentials must agree. A rotated key keeps its id, so it counts as the same credential. */
function refuseInitiator({ actor }: Caller, { initiated_by }: Transfer): void {
  if (actor.id === initiated_by.id) throw new Problem("transfer_of_your_own");
}

/** A member in the console answers only for themselves; a key answers for its organization. */
function refuseOtherMember({ session }: Caller, { user_id }: Transfer): void {
  if (session !== null && session.user_id !== user_id) throw new Problem("transfer_to_another");
}

function refuseClosed({ state }: Transfer): void {
  if (state !== "pending") throw new Problem("transfer_closed", "", { words: { status: statusOf[state] } });
}
