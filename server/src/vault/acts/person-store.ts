import { type Read, sql } from "../../db/sql.ts";
import type { ActId, EnvelopeId, OrgId, PartyId, PersonId } from "../../shared/ids.ts";
import type { OtherPerson } from "../people/person.ts";

/** What a person's parties are asked and hold, in all organizations. Each statement is a function with the owner's rights. */

export async function listRequestsOfPerson(read: Read, person_id: PersonId, limit: number): Promise<{ org_id: OrgId; act_id: ActId }[]> {
  const { rows } = await read.query<{ org_id: OrgId; act_id: ActId }>(sql`
    select org_id, act_id from requests_of_person(${person_id}, ${limit})`);
  return rows;
}

/** The parties for which the person can decide on the act, and whose act it is. Null if there is none. */
export async function lookUpActOfPerson(
  read: Read,
  person_id: PersonId,
  act_id: string,
): Promise<{ org_id: OrgId; party_ids: PartyId[] } | null> {
  const { rows } = await read.query<{ org_id: OrgId; party_id: PartyId }>(sql`
    select org_id, party_id from find_act_of_person(${person_id}, ${act_id})`);
  return rows[0] === undefined ? null : { org_id: rows[0].org_id, party_ids: rows.map(({ party_id }) => party_id) };
}

export interface HeldRecord {
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  readonly party_id: PartyId;
  readonly held_as: "controller" | "pledgee" | "participant" | "audit";
}

export async function listRecordsOfPerson(read: Read, person_id: PersonId, limit: number): Promise<HeldRecord[]> {
  const { rows } = await read.query<HeldRecord>(sql`
    select org_id, envelope_id, party_id, held_as from records_of_person(${person_id}, ${limit})`);
  return rows;
}

export async function listOthersOfPerson(read: Read, person_id: PersonId): Promise<OtherPerson[]> {
  const { rows } = await read.query<OtherPerson>(sql`select email, party_name from others_of_person(${person_id})`);
  return rows;
}
