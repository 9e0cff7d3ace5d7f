import type { Party, PartyPerson } from "@countersign/client/types";
import { en } from "../words/parties/en.ts";

const w = en.shared;

export const partyKindWords: Record<Party["kind"], string> = {
  people: w.peopleConfirmFor,
  org: w.organizationOfThis,
  vault: w.organizationOfAnother,
};

export const rightsWords: Record<PartyPerson["rights"], string> = {
  approve: w.confirmsAndRefuses,
  view: w.seesItsRecords,
};

export const personStateWords: Record<PartyPerson["state"], string> = {
  invited: w.hasNotLogged,
  active: w.active,
  removed: w.removed,
};

const present = ({ people }: Party): readonly PartyPerson[] => people.filter(({ state }) => state !== "removed");

/** Whether the party can confirm at all. */
export function peopleWords(party: Party): string {
  if (party.kind !== "people") return partyKindWords[party.kind];
  const all = present(party);
  const approvers = all.filter(({ rights }) => rights === "approve").length;
  if (approvers === 0) return w.noOneCan;
  return w.canConfirm(all.length, approvers);
}
