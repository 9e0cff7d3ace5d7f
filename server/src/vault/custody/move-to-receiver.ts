import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { type LockedCopy, requireState } from "../copy.ts";
import type { Transfer } from "./permission.ts";
import { activateTransfer, isMember, lockMember, releaseCustodian } from "./store.ts";

/**
 * Makes the receiver the custodian in place of the present one. The release comes first, because the index that allows one active custodian
 * cannot be deferred. The caller holds the copy's lock.
 */
export async function moveToReceiver(tx: Tx, caller: Caller, copy: LockedCopy, transfer: Transfer): Promise<void> {
  const { org } = caller;
  const { permission_id, user_id, from_user_id, envelope_id } = transfer;
  requireState(copy, "active");
  if (!(await lockMember(tx, org, user_id))) throw new Problem("receiver_gone");
  const released_permission_id = await releaseCustodian(tx, org, copy);
  if (!(await activateTransfer(tx, org, copy, permission_id))) throw new Problem("custody_changed", `at ${copy.custody_version}`);
  const data = { permission_id, user_id, from_user_id, released_permission_id };
  const type = "custody.accepted";
  const { hash } = await appendAudit(tx, org, { type, by: caller, envelope_id, data });
  // The record lost check 3 when its custodian left the organization.
  if (!(await isMember(tx, org, from_user_id))) await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
}
