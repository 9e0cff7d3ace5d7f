import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { OrgId, PermissionId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { type LockedCopy, type VaultDeps, vaultJobCaller } from "../copy.ts";
import { lockCopyById } from "../copy-store.ts";
import { inTurn } from "../in-turn.ts";
import { closeTransfer, findDueTransfers, findTransfer, lookUpPending } from "./store.ts";

// Transfers per run. Transfers last for days, so more than this are rarely due in one minute; the next run closes the rest.
const AT_ONCE = 500;

/** Closes overdue transfers. Returns how many. */
export async function expireTransfers(deps: Pick<VaultDeps, "db">, atOnce = AT_ONCE): Promise<number> {
  const due = await deps.db.system((tx) => findDueTransfers(tx, atOnce));
  return inTurn(due, ({ org_id, permission_id }) => expireTransfer(deps, org_id, permission_id));
}

/** False if the transfer was already closed. */
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
 * For operations that a pending transfer blocks: closes it if it is overdue, even before the job has run; otherwise returns 409. The caller
 * holds the copy's lock.
 */
export async function refusePending(tx: Tx, org: OrgId, copy: LockedCopy): Promise<void> {
  const pending = await lookUpPending(tx, org, copy.copy_id);
  if (pending?.state === "pending") throw new Problem("transfer_pending");
  if (pending !== null) await recordExpiry(tx, org, copy, pending.permission_id);
}

async function recordExpiry(tx: Tx, org: OrgId, copy: LockedCopy, permission_id: PermissionId): Promise<void> {
  await closeTransfer(tx, org, copy, permission_id, "expired");
  const { envelope_id } = copy;
  await appendAudit(tx, org, { type: "custody.expired", by: vaultJobCaller(org), envelope_id, data: { permission_id } });
}
