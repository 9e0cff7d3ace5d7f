import type { PersonRequest } from "@countersign/client/pages";
import { isOpenAct, isWaiting } from "../act-words.ts";
import { person } from "./session.ts";

/** The parties for which the person has yet to decide. One decision of any of its people is enough. */
export function undecided({ act, parties }: PersonRequest): PersonRequest["parties"] {
  return parties.filter((party) => act.needs.some(({ party_id, asked, decided }) => party_id === party.party_id && asked && !decided));
}

/** Whether this person has decided, for whichever party. No one decides twice. */
export const hasDecided = ({ act }: PersonRequest, email: string): boolean =>
  act.approvals.some((approval) => approval.by.kind === "person" && approval.email === email.toLowerCase());

/** For everyone who acts or acted for a party that could not be reached. */
export const canObject = ({ act, parties }: PersonRequest): boolean => isWaiting(act) && parties.length > 0;

export const asksMe = (request: PersonRequest): boolean =>
  isOpenAct(request.act) && undecided(request).length > 0 && !hasDecided(request, person.value?.email ?? "");
