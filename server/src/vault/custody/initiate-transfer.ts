import { appendAudit } from "../../audit/append-audit.ts";
import { appendEvent } from "../../events/append-event.ts";
import type { Caller } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { type EnvelopeId, newId, type UserId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { requireState, type VaultDeps } from "../copy.ts";
import { lockCopy } from "../copy-store.ts";
import { refusePending } from "./expire-transfers.ts";
import { DEFAULT_TRANSFER_DAYS, type Transfer } from "./permission.ts";
import { findCustodian, findTransfer, insertTransfer, lockMember, routeOf } from "./store.ts";

export interface TransferInput {
  readonly to_user_id: UserId;
  readonly reason?: string;
  readonly expires_in_days?: number;
}

/** Asks a member to become the custodian. The present custodian stays until the member accepts. */
export function initiateTransfer(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  input: TransferInput,
): Promise<Transfer> {
  const { org, actor } = caller;
  const { to_user_id, reason = null, expires_in_days = DEFAULT_TRANSFER_DAYS } = input;
  return deps.db.tx(org, async (tx) => {
    const copy = await lockCopy(tx, org, envelope_id);
    if (!(await lockMember(tx, org, to_user_id))) throw new Problem("member_not_found");
    requireState(copy, "active");
    await refusePending(tx, org, copy);
    const { user_id: from_user_id } = await findCustodian(tx, org, copy.copy_id);
    if (to_user_id === from_user_id) throw invalidField("to_user_id", "conflict", "is already the custodian");
    const permission_id = newId("custodianPermission", copy.now.getTime());
    const expires_at = new Date(copy.now.getTime() + expires_in_days * DAY_MS);
    const transfer = { permission_id, user_id: to_user_id, from_user_id, initiated_by: actor, reason, expires_at };
    if (!(await insertTransfer(tx, org, copy, transfer))) throw new Problem("transfer_pending");
    const data = { permission_id, user_id: to_user_id, from_user_id, expires_at: expires_at.toISOString(), reason };
    await appendAudit(tx, org, { type: "custody.initiated", by: caller, envelope_id, data });
    const eventData = { envelope_id, from_user_id, to_user_id, permission_id, ...(await routeOf(tx, org, envelope_id)) };
    await appendEvent(tx, org, { type: "custodian.transfer", envelope_id, data: eventData });
    return findTransfer(tx, org, permission_id);
  });
}
