import { Problem } from "../../../shared/problems.ts";
import { releaseTheHold } from "../../keeping/place-hold.ts";
import { lookUpHold } from "../../keeping/store.ts";
import { readDocument } from "../document.ts";
import type { QuickKind } from "../kind.ts";
import { adminNeed } from "../needs.ts";

/** Ends a legal hold, when an admin agrees who is not the person that proposes it. */
export const releaseOfHold: QuickKind = {
  takes: ["hold_id"],
  needs: async (tx, { org, envelope }, { hold_id }) => {
    const hold = hold_id === null ? null : await lookUpHold(tx, org, envelope.envelope_id, hold_id);
    if (hold === null || hold.released_at !== null) throw new Problem("hold_not_found");
    return [adminNeed];
  },
  takeEffect: async (tx, caller, control, act) => {
    const { hold_id } = readDocument(act);
    if (hold_id === null) throw new Error(`${act.act_id} names no hold`);
    const hold = await lookUpHold(tx, control.org, control.envelope.envelope_id, hold_id);
    if (hold === null || hold.released_at !== null) throw new Problem("hold_not_found");
    await releaseTheHold(tx, caller, control.copy, hold_id);
  },
};
