import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { OrgId, PartyId, PersonId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { ensurePerson } from "../people/ensure-person.ts";
import { isApprover, type NewPerson, type Party, type PartyPerson } from "./party.ts";
import { addPerson, listPeople, removePerson } from "./store.ts";

/** Adds a person to a party, or changes their name and rights. The caller holds the party's lock. */
export async function putPerson(tx: Tx, caller: Caller, { party_id }: Party, person: NewPerson): Promise<void> {
  const { org } = caller;
  const person_id = await ensurePerson(tx, person.email);
  const people = await listPeople(tx, org, party_id);
  const before = people.find((one) => one.person_id === person_id);
  if (before !== undefined && person.rights !== "approve") refuseLastApprover(people, before);
  await addPerson(tx, org, party_id, person_id, person);
  const { email, rights } = person;
  await appendAudit(tx, org, { type: "party.person_added", by: caller, data: { party_id, person_id, email, rights } });
}

/** The caller holds the party's lock. */
export async function dropPerson(tx: Tx, caller: Caller, { party_id }: Party, person_id: PersonId): Promise<void> {
  const { org } = caller;
  const person = await findPerson(tx, org, party_id, person_id);
  refuseLastApprover(await listPeople(tx, org, party_id), person);
  await removePerson(tx, org, party_id, person_id);
  await appendAudit(tx, org, { type: "party.person_removed", by: caller, data: { party_id, person_id, email: person.email } });
}

export async function findPerson(tx: Tx, org: OrgId, party_id: PartyId, person_id: PersonId): Promise<PartyPerson> {
  const person = (await listPeople(tx, org, party_id)).find((one) => one.person_id === person_id);
  if (person === undefined) throw new Problem("person_not_found");
  return person;
}

/** A party that could confirm must not lose that by a mistake. */
function refuseLastApprover(people: readonly PartyPerson[], leaving: PartyPerson): void {
  if (isApprover(leaving) && !people.some((person) => isApprover(person) && person.person_id !== leaving.person_id)) {
    throw new Problem("last_approver");
  }
}

export function refuseNoPeople({ kind }: Party): void {
  if (kind !== "people") throw invalidField("party_id", "invalid_value", "has no people: the admins of an organization act for it");
}
