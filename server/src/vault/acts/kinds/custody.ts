import { appendAudit } from "../../../audit/append-audit.ts";
import type { Tx } from "../../../db/sql.ts";
import { routeOf } from "../../../envelopes/envelope.ts";
import { appendEvent } from "../../../events/append-event.ts";
import type { Caller } from "../../../shared/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { invalidField, Problem } from "../../../shared/problems.ts";
import { refusePending } from "../../custody/expire-transfers.ts";
import { moveToReceiver } from "../../custody/move-to-receiver.ts";
import { closeTransfer, findCustodian, insertTransfer, lockMember, lookUpTransferOfAct } from "../../custody/store.ts";
import type { ActWithDecisions } from "../act.ts";
import type { Control } from "../control.ts";
import type { ActDocument } from "../document.ts";
import type { EndOfAct, QuickKind, Subject } from "../kind.ts";
import { controllerNeed, custodianNeed, pledgeeNeeds } from "../needs.ts";

/** Another member becomes the custodian, when the controller and that member agree. */
export const moveCustody: QuickKind = {
  takes: ["user_id"],
  needs: async (tx, control, subject) => {
    const user = userOf(subject);
    if (!(await lockMember(tx, control.org, user.user_id))) throw new Problem("member_not_found");
    const { user_id } = await findCustodian(tx, control.org, control.copy.copy_id);
    if (user.user_id === user_id) throw invalidField("to_user_id", "conflict", "is already the custodian");
    await refusePending(tx, control.org, control.copy);
    return [...(await controllerNeed(tx, control)), custodianNeed(user), ...(await pledgeeNeeds(tx, control))];
  },
  propose: startTransfer,
  takeEffect: async (tx, caller, control, act) => {
    const transfer = await lookUpTransferOfAct(tx, control.org, act.act_id, control.envelope.envelope_id);
    if (transfer === null) throw new Error(`${act.act_id} has no transfer of custody`);
    await moveToReceiver(tx, caller, control.copy, transfer);
  },
  end: endTransfer,
};

/** The controller names the custodian: the present one, or another who then accepts. */
export const designateCustodian: QuickKind = {
  takes: ["user_id"],
  needs: async (tx, control, subject) => {
    const user = userOf(subject);
    const { user_id } = await findCustodian(tx, control.org, control.copy.copy_id);
    return user.user_id === user_id ? controllerNeed(tx, control) : moveCustody.needs(tx, control, subject);
  },
  propose: async (tx, caller, control, document) => {
    const { user_id } = await findCustodian(tx, control.org, control.copy.copy_id);
    if (document.user?.user_id !== user_id) await startTransfer(tx, caller, control, document);
  },
  takeEffect: async (tx, caller, control, act) => {
    const transfer = await lookUpTransferOfAct(tx, control.org, act.act_id, control.envelope.envelope_id);
    if (transfer !== null) await moveToReceiver(tx, caller, control.copy, transfer);
  },
  end: endTransfer,
};

/** The custodian states that they hold the record for the controller. Nothing changes; the statement is a fact. */
export const acknowledgeControl: QuickKind = {
  takes: ["user_id"],
  needs: async (tx, control, subject) => {
    const user = userOf(subject);
    const { user_id } = await findCustodian(tx, control.org, control.copy.copy_id);
    if (user.user_id !== user_id) throw invalidField("user_id", "invalid_value", "must be the custodian of the record");
    return [custodianNeed(user)];
  },
  takeEffect: async () => undefined,
};

function userOf({ user }: Subject): NonNullable<Subject["user"]> {
  if (user === null) throw new Error("this kind of act is about a member");
  return user;
}

async function startTransfer(tx: Tx, caller: Caller, { org, copy, envelope }: Control, document: ActDocument): Promise<void> {
  const { act_id, user, reason: given } = document;
  if (user === null) throw new Error("a transfer of custody needs a receiver");
  const { user_id } = user;
  const { user_id: from_user_id } = await findCustodian(tx, org, copy.copy_id);
  const { envelope_id } = envelope;
  const permission_id = newId("custodianPermission", copy.now.getTime());
  const [reason, expires_at] = [given === "" ? null : given, new Date(document.expires_at)];
  const transfer = { permission_id, user_id, from_user_id, initiated_by: caller.actor, reason, expires_at, act_id };
  if (!(await insertTransfer(tx, org, copy, transfer))) throw new Problem("transfer_pending");
  const data = { permission_id, user_id, from_user_id, expires_at: document.expires_at, reason };
  await appendAudit(tx, org, { type: "custody.initiated", by: caller, envelope_id, data });
  const eventData = { envelope_id, from_user_id, to_user_id: user_id, permission_id, ...routeOf(envelope) };
  await appendEvent(tx, org, { type: "custodian.transfer", envelope_id, data: eventData });
}

const endings = {
  refused: ["rejected", "custody.rejected"],
  cancelled: ["cancelled", "custody.cancelled"],
  expired: ["expired", "custody.expired"],
} as const;

async function endTransfer(tx: Tx, caller: Caller, { org, copy }: Control, act: ActWithDecisions, { as, reason }: EndOfAct): Promise<void> {
  const transfer = await lookUpTransferOfAct(tx, org, act.act_id, copy.envelope_id);
  if (transfer === null || transfer.closed_at !== null) return;
  const { permission_id, envelope_id } = transfer;
  const [state, type] = endings[as];
  await closeTransfer(tx, org, copy, permission_id, state);
  const data = as === "refused" ? { permission_id, reason } : { permission_id };
  await appendAudit(tx, org, { type, by: caller, envelope_id, data });
}
