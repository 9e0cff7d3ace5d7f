import { findRecoverable, recoverCopy } from "../../links/ended-transfers.ts";
import type { QuickKind } from "../kind.ts";
import { adminNeed, controllerNeed } from "../needs.ts";

/**
 * Takes back a record that was released to another vault which is gone for good and never confirmed that it has the record. No one can show
 * that it has not, so this needs the controller and two admins, none of whom proposed it.
 */
export const recover: QuickKind = {
  takes: [],
  states: ["transferred"],
  needs: async (tx, control) => {
    await findRecoverable(tx, control.org, control.copy);
    return [...(await controllerNeed(tx, control)), adminNeed, adminNeed];
  },
  takeEffect: async (tx, caller, { copy }, act) => recoverCopy(tx, caller, copy, act.act_id),
};
