import { live } from "../../copy.ts";
import { beginDestruction, refuseDestruction } from "../../ends/begin-destruction.ts";
import { beginPaper, refusePaper } from "../../ends/begin-paper.ts";
import { readDocument } from "../document.ts";
import type { QuickKind } from "../kind.ts";
import { adminNeed, controllerNeed, leavingNeeds } from "../needs.ts";

/** Replaces the electronic record by paper, when the controller agrees. */
export const paperOut: QuickKind = {
  takes: ["recipient"],
  needs: async (tx, control) => {
    await refusePaper(tx, control);
    return leavingNeeds(tx, control);
  },
  takeEffect: async (tx, caller, control, act) => {
    const { recipient, reason } = readDocument(act);
    if (recipient === null) throw new Error(`${act.act_id} names no recipient`);
    await beginPaper(tx, caller, control, { act_id: act.act_id, recipient, reason });
  },
};

/** Ends the record and removes its files: the controller agrees, and an admin who did not propose it. What has left has no controller here. */
export const destroy: QuickKind = {
  takes: [],
  states: ["active", "exported", "transferred", "papered"],
  needs: async (tx, control) => {
    await refuseDestruction(tx, control);
    return [...(live.includes(control.copy.state) ? await controllerNeed(tx, control) : []), adminNeed];
  },
  takeEffect: async (tx, caller, control, act) => {
    await beginDestruction(tx, caller, control, { act_id: act.act_id, reason: readDocument(act).reason });
  },
};
