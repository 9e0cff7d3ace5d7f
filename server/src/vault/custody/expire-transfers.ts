import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { OrgId, PermissionId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { keeper, type LockedCopy, type VaultDeps } from "../copy.ts";
import { lockCopyById } from "../copy-store.ts";
import { inTurn } from "../in-turn.ts";
import { closeTransfer, findDueTransfers, findTransfer, lookUpPending } from "./store.ts";

// In one look at what is due. A transfer lives for days, so a minute in which more end is a minute of leftovers.
const AT_ONCE = 500;

/** Ends what nobody answered in time. Says how many. */
export async function expireTransfers(deps: Pick<VaultDeps, "db">, atOnce = AT_ONCE): Promise<number> {
  const due = await deps.db.system((tx) => findDueTransfers(tx, atOnce));
  return inTurn(due, ({ org_id, permission_id }) => expireTransfer(deps, org_id, permission_id));
}

/** False when somebody else ended it first. */
export function expireTransfer(deps: Pick<VaultDeps, "db">, org: OrgId, permission_id: PermissionId): Promise<boolean> {
  return deps.db.tx(org, async (tx) => {
    const { copy_id } = await findTransfer(tx, org, permission_id);
    const copy = await lockCopyById(tx, org, copy_id);
    const pending = await lookUpPending(tx, org, copy_id);
    if (pending?.state !== "expired" || pending.permission_id !== permission_id) return false;
    await recordExpiry(tx, org, copy, permission_id);
    return true;
  });
}

/**
 * For whatever a pending transfer stands in the way of: one whose time is over is ended, before the job has come, and any other is 409.
 * The caller holds the copy's lock.
 */
export async function refusePending(tx: Tx, org: OrgId, copy: LockedCopy): Promise<void> {
  const pending = await lookUpPending(tx, org, copy.copy_id);
  if (pending?.state === "pending") throw new Problem("transfer_pending");
  if (pending !== null) await recordExpiry(tx, org, copy, pending.permission_id);
}

async function recordExpiry(tx: Tx, org: OrgId, copy: LockedCopy, permission_id: PermissionId): Promise<void> {
  await closeTransfer(tx, org, copy, permission_id, "expired");
  const { envelope_id } = copy;
  await appendAudit(tx, org, { type: "custody.expired", by: keeper(org), envelope_id, data: { permission_id } });
}
