import type { PersonRequest } from "@countersign/client/pages";
import { isOpenAct } from "../act-words.ts";
import { person } from "./session.ts";

/** The parties for which the person has yet to decide. One decision of any of its people is enough. */
export function undecided({ act, parties }: PersonRequest): PersonRequest["parties"] {
  return parties.filter((party) => act.needs.some(({ party_id, asked, decided }) => party_id === party.party_id && asked && !decided));
}

/** Whether this person has decided, for whichever party. No one decides twice. */
export const hasDecided = ({ act }: PersonRequest, email: string): boolean =>
  act.approvals.some((approval) => approval.by.kind === "person" && approval.email === email.toLowerCase());

export const asksMe = (request: PersonRequest): boolean =>
  isOpenAct(request.act) && undecided(request).length > 0 && !hasDecided(request, person.value?.email ?? "");
