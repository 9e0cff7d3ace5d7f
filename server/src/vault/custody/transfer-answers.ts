import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ActId, PermissionId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { type ActWithDecisions, type Decision, openNeeds } from "../acts/act.ts";
import { type Decider, recordDecision } from "../acts/decide-act.ts";
import { endAct, lockActWithControl } from "../acts/end-act.ts";
import { policyOf } from "../acts/policy-store.ts";
import type { LockedCopy, VaultDeps } from "../copy.ts";
import { lockCopyById } from "../copy-store.ts";
import { findPrincipal, isSamePrincipal, lookUpPrincipal, type Principal } from "../principal-store.ts";
import { moveToReceiver } from "./move-to-receiver.ts";
import { statusOf, type Transfer } from "./permission.ts";
import { closeTransfer, findTransfer } from "./store.ts";

/** The receiver takes over, once a secured party that must agree has confirmed the act. */
export function acceptTransfer(deps: Pick<VaultDeps, "db">, caller: Caller, permission_id: PermissionId): Promise<Transfer> {
  return answer(deps, caller, permission_id, async (tx, { transfer, act, copy, principal }) => {
    if (act === null) return moveToReceiver(tx, caller, copy, transfer);
    if (openNeeds(act).some(({ role }) => role !== "custodian")) throw new Problem("confirmation_required");
    await decide(tx, caller, act, principal, "confirm", null);
  });
}

export function rejectTransfer(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  permission_id: PermissionId,
  reason: string | null,
): Promise<Transfer> {
  return answer(deps, caller, permission_id, async (tx, { transfer, act, copy, principal }) => {
    if (act !== null) return decide(tx, caller, act, principal, "refuse", reason);
    const { envelope_id } = transfer;
    await closeTransfer(tx, caller.org, copy, permission_id, "rejected");
    await appendAudit(tx, caller.org, { type: "custody.rejected", by: caller, envelope_id, data: { permission_id, reason } });
  });
}

/** Allowed for anyone who can initiate a transfer. */
export function cancelTransfer(deps: Pick<VaultDeps, "db">, caller: Caller, permission_id: PermissionId): Promise<Transfer> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { act_id, copy_id } = await findTransfer(tx, org, permission_id);
    if (act_id !== null) {
      const { act, control } = await lockActWithControl(tx, org, act_id);
      refuseClosed(await findTransfer(tx, org, permission_id));
      await endAct(tx, caller, control, act, "cancelled");
      return findTransfer(tx, org, permission_id);
    }
    const copy = await lockCopyById(tx, org, copy_id);
    const transfer = await findTransfer(tx, org, permission_id);
    refuseClosed(transfer);
    await closeTransfer(tx, org, copy, permission_id, "cancelled");
    await appendAudit(tx, org, { type: "custody.cancelled", by: caller, envelope_id: transfer.envelope_id, data: { permission_id } });
    return findTransfer(tx, org, permission_id);
  });
}

interface Answered {
  readonly transfer: Transfer;
  /** null for a transfer from before acts */
  readonly act: ActWithDecisions | null;
  readonly copy: LockedCopy;
  readonly principal: Principal;
}

/** Locks what the transfer is about and reads it again under the lock. */
function answer(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  permission_id: PermissionId,
  run: (tx: Tx, answered: Answered) => Promise<void>,
): Promise<Transfer> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { act_id, copy_id } = await findTransfer(tx, org, permission_id);
    const act = act_id === null ? null : await lockedAct(tx, caller, act_id);
    const copy = await lockCopyById(tx, org, copy_id);
    const transfer = await findTransfer(tx, org, permission_id);
    const principal = await findPrincipal(tx, caller);
    await refuseInitiator(tx, caller, principal, transfer);
    await refuseOther(tx, caller, principal, transfer);
    refuseClosed(transfer);
    await run(tx, { transfer, act, copy, principal });
    return findTransfer(tx, org, permission_id);
  });
}

const lockedAct = async (tx: Tx, { org }: Caller, act_id: ActId): Promise<ActWithDecisions> =>
  (await lockActWithControl(tx, org, act_id)).act;

async function decide(
  tx: Tx,
  caller: Caller,
  act: ActWithDecisions,
  principal: Principal,
  decision: Decision,
  reason: string | null,
): Promise<void> {
  const { actor, ip, user_agent, request_id } = caller;
  const method = caller.session === null ? "key" : "session";
  const isAsked: Decider["isAsked"] = ({ role }) => role === "custodian";
  const decider: Decider = { actor, ip, user_agent, request_id, principal, method, proof: null, isAsked };
  await recordDecision(tx, caller.org, act.act_id, decider, { decision, sha256: act.sha256, reason });
}

/** Two people must agree. Two keys of one person are one. */
async function refuseInitiator(tx: Tx, { org, actor }: Caller, principal: Principal, { initiated_by }: Transfer): Promise<void> {
  const initiator = await lookUpPrincipal(tx, org, initiated_by);
  if (actor.id === initiated_by.id || (initiator !== null && isSamePrincipal(initiator, principal)))
    throw new Problem("transfer_of_your_own");
}

/** A member answers only for themselves. A key answers for its organization, unless parties must confirm what happens to the record. */
async function refuseOther(tx: Tx, { org, session }: Caller, principal: Principal, { user_id, envelope_id }: Transfer): Promise<void> {
  if (principal.id === user_id) return;
  if (session !== null || (await policyOf(tx, org, envelope_id)) === "confirmed") throw new Problem("transfer_to_another");
}

function refuseClosed({ state }: Transfer): void {
  if (state !== "pending") throw new Problem("transfer_closed", "", { words: { status: statusOf[state] } });
}
