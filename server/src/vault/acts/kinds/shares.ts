import { invalidField, Problem } from "../../../shared/problems.ts";
import { readDocument } from "../document.ts";
import type { QuickKind } from "../kind.ts";
import { controllerNeed, partyNeed, pledgeeNeeds } from "../needs.ts";
import { insertParticipation, insertPledge, listParticipations, releasePledge } from "../register-store.ts";
import { partyOf, subjectParty } from "./assignees.ts";

const WHOLE_BP = 10_000;

/** Another party gets a share in basis points; the controller stays the controller. */
export const participate: QuickKind = {
  takes: ["party_id", "share_bp"],
  needs: async (tx, control, { share_bp }) => {
    const given = await listParticipations(tx, control.org, control.envelope.envelope_id);
    const taken = given.reduce((sum, { share_bp: share }) => sum + share, 0);
    if (taken + (share_bp ?? 0) > WHOLE_BP) {
      throw invalidField("share_bp", "out_of_range", `leaves more than ${WHOLE_BP} basis points in all; ${WHOLE_BP - taken} are left`);
    }
    return controllerNeed(tx, control);
  },
  takeEffect: async (tx, _caller, control, act) => {
    const { party_id } = await subjectParty(tx, control, act);
    const share_bp = readDocument(act).share_bp ?? 0;
    await insertParticipation(tx, control.org, control.envelope.envelope_id, {
      party_id,
      act_id: act.act_id,
      share_bp,
      since: control.copy.now,
    });
  },
};

/** While it stands, the record is not assigned, moved or ended without the pledgee. */
export const pledge: QuickKind = {
  takes: ["party_id"],
  needs: async (tx, control, subject) => {
    const party = partyOf(subject);
    if (control.pledges.some(({ party_id }) => party_id === party.party_id))
      throw invalidField("party_id", "conflict", "already holds a pledge");
    return [...(await controllerNeed(tx, control)), await partyNeed(tx, control, "pledgee", party), ...(await pledgeeNeeds(tx, control))];
  },
  takeEffect: async (tx, _caller, control, act) => {
    const { party_id } = await subjectParty(tx, control, act);
    await insertPledge(tx, control.org, control.envelope.envelope_id, { party_id, act_id: act.act_id, since: control.copy.now });
  },
};

export const releaseOfPledge: QuickKind = {
  takes: ["party_id"],
  needs: async (tx, control, subject) => {
    const party = partyOf(subject);
    if (!control.pledges.some(({ party_id }) => party_id === party.party_id)) throw new Problem("pledge_not_found");
    return [await partyNeed(tx, control, "pledgee", party)];
  },
  takeEffect: async (tx, _caller, control, act) => {
    const { party_id } = await subjectParty(tx, control, act);
    await releasePledge(tx, control.org, control.envelope.envelope_id, { party_id, act_id: act.act_id, at: control.copy.now });
  },
};
