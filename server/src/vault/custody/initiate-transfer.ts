import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId, UserId } from "../../shared/ids.ts";
import { lockControl } from "../acts/control.ts";
import { proposeOn } from "../acts/propose-act.ts";
import type { VaultDeps } from "../copy.ts";
import { lookUpPrincipal } from "../principal-store.ts";
import { DEFAULT_TRANSFER_DAYS, type Transfer } from "./permission.ts";
import { findTransfer, lookUpTransferOfAct } from "./store.ts";

export interface TransferInput {
  readonly to_user_id: UserId;
  readonly reason?: string;
  readonly expires_in_days?: number;
}

/** Asks a member to become the custodian: an act `move_custody`. The present custodian stays until the act takes effect. */
export function initiateTransfer(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  { to_user_id, reason = "", expires_in_days = DEFAULT_TRANSFER_DAYS }: TransferInput,
): Promise<Transfer> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const control = await lockControl(tx, org, envelope_id);
    const proposal = { kind: "move_custody", reason, present_version: control.copy.control_version, user_id: to_user_id } as const;
    // A key from the command line has no creator. It may start a transfer, because another person has to accept it.
    const principal = await lookUpPrincipal(tx, org, caller.actor);
    const { act_id } = await proposeOn(tx, caller, control, proposal, { principal, days: expires_in_days });
    const transfer = await lookUpTransferOfAct(tx, org, act_id, envelope_id);
    if (transfer === null) throw new Error(`${act_id} has no transfer of custody`);
    return findTransfer(tx, org, transfer.permission_id);
  });
}
