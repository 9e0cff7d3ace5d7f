import type { Party, PartyPerson } from "@countersign/client/types";

export const partyKindWords: Record<Party["kind"], string> = {
  people: "People confirm for it",
  org: "Organization of this installation",
  vault: "Organization of another installation",
};

export const rightsWords: Record<PartyPerson["rights"], string> = {
  approve: "Confirms and refuses acts",
  view: "Sees its records",
};

export const personStateWords: Record<PartyPerson["state"], string> = {
  invited: "Has not logged in yet",
  active: "Active",
  removed: "Removed",
};

const present = ({ people }: Party): readonly PartyPerson[] => people.filter(({ state }) => state !== "removed");

/** Whether the party can confirm at all. */
export function peopleWords(party: Party): string {
  if (party.kind !== "people") return partyKindWords[party.kind];
  const all = present(party);
  const approvers = all.filter(({ rights }) => rights === "approve").length;
  if (approvers === 0) return "No one can confirm for it yet";
  return `${all.length} ${all.length === 1 ? "person" : "people"}, ${approvers} can confirm`;
}
