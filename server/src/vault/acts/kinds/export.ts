import { refusePending } from "../../custody/expire-transfers.ts";
import { startExport } from "../../exports/start-export.ts";
import { refuseHeld } from "../../keeping/store.ts";
import { type ActDocument, readDocument } from "../document.ts";
import type { SlowKind } from "../kind.ts";
import { leavingNeeds } from "../needs.ts";

/** Packs the original for a recipient outside, when the controller agrees. It leaves when the recipient acknowledges the package. */
export const exportOut: SlowKind = {
  takes: ["recipient"],
  needs: async (tx, control) => {
    await refusePending(tx, control.org, control.copy);
    await refuseHeld(tx, control.org, control.copy);
    return leavingNeeds(tx, control);
  },
  prepare: async (deps, caller, act) => {
    const { act_id, principal, principal_email: email, proposed_by: initiated_by } = act;
    const { envelope_id, recipient, reason } = exportOf(readDocument(act));
    const prepared = await startExport.prepare(deps, caller, envelope_id);
    const initiator = principal === null || email === null ? null : { id: principal, email };
    return async (tx, control) => {
      await startExport.record(tx, caller, control, prepared, { recipient, reason, act_id, initiated_by, principal: initiator });
    };
  },
};

function exportOf({ act_id, envelope_id, recipient, reason }: ActDocument) {
  if (envelope_id === null || recipient === null) throw new Error(`${act_id} names no recipient`);
  return { envelope_id, recipient, reason };
}
