import { rules2 } from "@countersign/evidence";
import type { Tx } from "../../../db/sql.ts";
import { invalidField, Problem } from "../../../shared/problems.ts";
import { recordAssignee } from "../../assignments/record-assignee.ts";
import { confirmAssignment } from "../../assignments/store.ts";
import type { Party } from "../../parties/party.ts";
import { findParty } from "../../parties/store.ts";
import type { ActWithDecisions } from "../act.ts";
import type { Control } from "../control.ts";
import { readDocument } from "../document.ts";
import type { QuickKind, Subject } from "../kind.ts";
import { controllerNeed, partyNeed, pledgeeNeeds } from "../needs.ts";
import { setController } from "../register-store.ts";

/** The party confirms that the record is assigned to it: the one on record, or the first. */
export const designate: QuickKind = {
  takes: ["party_id"],
  needs: async (tx, control, subject) => {
    const party = partyOf(subject);
    const { assignee } = control;
    if (assignee !== null && assignee.party_id !== party.party_id) throw new Problem("secured_party_on_record");
    if (assignee?.confirmation === "confirmed")
      throw invalidField("party_id", "conflict", "has already confirmed that it is the secured party");
    // The first assignment changes who controls the record; a confirmation of what is on record does not.
    const pledgees = assignee === null ? await pledgeeNeeds(tx, control) : [];
    return [await partyNeed(tx, control, "party", party), ...pledgees];
  },
  takeEffect: async (tx, caller, control, act) => {
    const { envelope_id } = control.envelope;
    const party = await subjectParty(tx, control, act);
    const confirmation = confirmationBy(act, party);
    if (control.assignee === null) {
      const row = { party: securedParty(party), consent: null, party_id: party.party_id, act_id: act.act_id, confirmation };
      await recordAssignee(tx, caller, envelope_id, row);
    } else if (confirmation === "confirmed") {
      await confirmAssignment(tx, control.org, control.assignee, { confirmation, act_id: act.act_id });
    }
    await setController(tx, control.org, envelope_id, party.party_id);
  },
};

/**
 * Replaces a wrong name or address of the secured party on record. A placeholder, and a party that has not confirmed and keeps its name, can
 * be corrected without asking; everything else is an assignment, or needs that party.
 */
export const correctParty: QuickKind = {
  takes: ["party_id"],
  needs: async (tx, control, subject) => {
    const party = partyOf(subject);
    const { assignee } = control;
    if (assignee === null) throw new Problem("secured_party_missing");
    if (assignee.party_id === party.party_id) throw invalidField("party_id", "conflict", "is already the secured party");
    return [...(isFree(control, party) ? [] : await controllerNeed(tx, control)), ...(await pledgeeNeeds(tx, control))];
  },
  takeEffect: async (tx, caller, control, act) => {
    const { org, assignee, envelope } = control;
    if (assignee === null) throw new Problem("secured_party_missing");
    const party = await subjectParty(tx, control, act);
    if (assignee.confirmation === "unconfirmed")
      await confirmAssignment(tx, org, assignee, { confirmation: "corrected", act_id: act.act_id });
    const consent = { method: "correction", act_id: act.act_id, act_sha256: act.sha256 } as const;
    await recordAssignee(tx, caller, envelope.envelope_id, {
      party: securedParty(party),
      consent,
      party_id: party.party_id,
      act_id: act.act_id,
    });
    await setController(tx, org, envelope.envelope_id, party.party_id);
  },
};

function isFree({ assignee }: Control, { name }: Party): boolean {
  if (assignee === null || assignee.confirmation === "confirmed") return false;
  return !rules2.namesParty(assignee.party.name) || sameName(assignee.party.name, name);
}

const sameName = (one: string, other: string): boolean => plain(one) === plain(other);
const plain = (name: string): string => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();

/** Another party becomes the secured party and the controller. */
export const assign: QuickKind = {
  takes: ["party_id"],
  needs: async (tx, control, subject) => {
    const party = partyOf(subject);
    if (control.assignee?.party_id === party.party_id) throw invalidField("party_id", "conflict", "is already the secured party");
    return [...(await controllerNeed(tx, control)), await partyNeed(tx, control, "assignee", party), ...(await pledgeeNeeds(tx, control))];
  },
  takeEffect: async (tx, caller, control, act) => {
    const { org, envelope } = control;
    const party = await subjectParty(tx, control, act);
    const consent = control.assignee === null ? null : ({ method: "act", act_id: act.act_id, act_sha256: act.sha256 } as const);
    const confirmation = confirmationBy(act, party);
    const row = { party: securedParty(party), consent, party_id: party.party_id, act_id: act.act_id, confirmation };
    await recordAssignee(tx, caller, envelope.envelope_id, row);
    await setController(tx, org, envelope.envelope_id, party.party_id);
  },
};

/** The controller gives up its interest in favour of another party. The register shows it as an assignment. */
export const release: QuickKind = assign;

export function partyOf({ party }: Subject): Party {
  if (party === null) throw new Error("this kind of act is about a party");
  return party;
}

export const subjectParty = (tx: Tx, { org }: Control, act: ActWithDecisions): Promise<Party> => {
  const party_id = readDocument(act).party?.party_id;
  if (party_id == null) throw new Error(`${act.act_id} names no party`);
  return findParty(tx, org, party_id);
};

/** Confirmed only by the party itself: a policy that does not ask it leaves the row unconfirmed. */
const confirmationBy = ({ approvals }: ActWithDecisions, { party_id }: Party): "confirmed" | "unconfirmed" =>
  approvals.some((approval) => approval.decision === "confirm" && approval.party_id === party_id) ? "confirmed" : "unconfirmed";

/** As the envelope and the register show it. */
const securedParty = ({ name, identifier, address }: Party) => ({
  name,
  ...(address !== null && { address }),
  ...(identifier !== null && { identifier }),
});
