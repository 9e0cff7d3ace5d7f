import { join, type Read, sql, type Tx } from "../../db/sql.ts";
import type { OrgId, PartyId, PersonId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import type { NewPerson, Party, PartyPerson } from "./party.ts";

/** The SQL of parties and of the people who act for them. */

const columns = sql`p.party_id, p.kind, p.name, p.identifier, p.address, p.org_ref, p.vault_id, p.approvers_replaced_at, p.created_at, p.updated_at`;
const peopleColumns = sql`party_id, person_id, email, name, rights, state, added_at`;

export async function findParty(read: Read, org: OrgId, party_id: PartyId): Promise<Party> {
  const party = await lookUpParty(read, org, party_id);
  if (party === null) throw new Problem("party_not_found");
  return party;
}

export async function lookUpParty(read: Read, org: OrgId, party_id: PartyId): Promise<Party | null> {
  const { rows } = await read.query<Party>(sql`select ${columns} from parties p where p.org_id = ${org} and p.party_id = ${party_id}`);
  return rows[0] ?? null;
}

/** Waits for other changes of the party and its people. */
export async function lockParty(tx: Tx, org: OrgId, party_id: PartyId): Promise<Party> {
  await tx.query(sql`select from parties where org_id = ${org} and party_id = ${party_id} for no key update`);
  return findParty(tx, org, party_id);
}

/** False if another party has the identifier, or is the same organization or installation. */
export async function insertParty(
  tx: Tx,
  org: OrgId,
  party: Omit<Party, "approvers_replaced_at" | "created_at" | "updated_at">,
): Promise<boolean> {
  const { party_id, kind, name, identifier, address, org_ref, vault_id } = party;
  const { rowCount } = await tx.query(sql`
    insert into parties (org_id, party_id, kind, name, identifier, address, org_ref, vault_id)
    values (${org}, ${party_id}, ${kind}, ${name}, ${identifier}, ${address}, ${org_ref}, ${vault_id}) on conflict do nothing`);
  return rowCount === 1;
}

/** False if another party has the identifier. */
export async function updateParty(tx: Tx, org: OrgId, { party_id, name, identifier, address }: Party): Promise<boolean> {
  const taken = sql`select from parties where org_id = ${org} and identifier = ${identifier} and party_id <> ${party_id}`;
  const { rowCount } = await tx.query(sql`
    update parties set name = ${name}, identifier = ${identifier}, address = ${address}, updated_at = now()
    where org_id = ${org} and party_id = ${party_id} and not exists (${taken})`);
  return rowCount === 1;
}

export interface PartyFilter {
  readonly kind?: string;
  /** part of the name or the identifier */
  readonly search?: string;
}

export async function listParties(read: Read, org: OrgId, filter: PartyFilter, { page, limit }: PageRequest): Promise<Page<Party>> {
  const conditions = [sql`p.org_id = ${org}`];
  if (filter.kind !== undefined) conditions.push(sql`p.kind = ${filter.kind}`);
  if (filter.search !== undefined) {
    const part = `%${filter.search.replace(/[\\%_]/g, "\\$&")}%`;
    conditions.push(sql`(p.name ilike ${part} or p.identifier ilike ${part})`);
  }
  const which = join(conditions, " and ");
  const { rows } = await read.query<Party>(sql`
    select ${columns} from parties p where ${which} order by lower(p.name), p.party_id limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from parties p where ${which}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

/** Those who act for it now, by the time at which they were added. */
export async function listPeople(read: Read, org: OrgId, party_id: PartyId): Promise<PartyPerson[]> {
  return (await peopleOf(read, org, [party_id])).get(party_id) ?? [];
}

/** Of everyone who acts or ever acted for it. */
export async function listKnownAddresses(read: Read, org: OrgId, party_id: PartyId): Promise<string[]> {
  const { rows } = await read.query<{ email: string }>(sql`
    select email from party_people where org_id = ${org} and party_id = ${party_id} order by added_at, person_id`);
  return rows.map(({ email }) => email);
}

/** For good: from then on it rests on the organization's word who acts for the party. */
export async function markReplaced(tx: Tx, org: OrgId, party_id: PartyId): Promise<void> {
  await tx.query(sql`
    update parties set approvers_replaced_at = coalesce(approvers_replaced_at, ${tx.now}), updated_at = ${tx.now}
    where org_id = ${org} and party_id = ${party_id}`);
}

export async function peopleOf(read: Read, org: OrgId, party_ids: readonly PartyId[]): Promise<Map<PartyId, PartyPerson[]>> {
  const { rows } = await read.query<PartyPerson>(sql`
    select ${peopleColumns} from party_people where org_id = ${org} and party_id = any(${party_ids}) and state <> 'removed'
    order by added_at, person_id`);
  const people = new Map<PartyId, PartyPerson[]>();
  for (const person of rows) people.set(person.party_id, [...(people.get(person.party_id) ?? []), person]);
  return people;
}

/** A person who was removed comes back as invited. */
export async function addPerson(tx: Tx, org: OrgId, party_id: PartyId, person_id: PersonId, person: NewPerson): Promise<void> {
  const { email, name, rights } = person;
  await tx.query(sql`
    insert into party_people (org_id, party_id, person_id, email, name, rights) values (${org}, ${party_id}, ${person_id}, ${email}, ${name}, ${rights})
    on conflict (org_id, party_id, person_id) do update set name = excluded.name, rights = excluded.rights,
      state = case when party_people.state = 'removed' then 'invited' else party_people.state end, removed_at = null`);
}

/** False if the person does not act for the party. */
export async function removePerson(tx: Tx, org: OrgId, party_id: PartyId, person_id: PersonId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update party_people set state = 'removed', removed_at = now()
    where org_id = ${org} and party_id = ${party_id} and person_id = ${person_id} and state <> 'removed'`);
  return rowCount === 1;
}

/** The people party that a secured party's e-mail address stands for: the one with this name that this address acts for. */
export async function lookUpPartyOfPerson(read: Read, org: OrgId, person_id: PersonId, name: string): Promise<Party | null> {
  const { rows } = await read.query<Party>(sql`
    select ${columns} from parties p join party_people pp using (org_id, party_id)
    where p.org_id = ${org} and p.kind = 'people' and lower(p.name) = lower(${name}) and pp.person_id = ${person_id}
      and pp.state <> 'removed' and pp.rights = 'approve'
    order by p.party_id limit 1`);
  return rows[0] ?? null;
}

export async function hasOrg(read: Read, org_id: OrgId): Promise<boolean> {
  const { rows } = await read.query(sql`select from orgs where org_id = ${org_id}`);
  return rows.length === 1;
}

/** A person who logged in reads the mail of their address: no longer only invited, in every party. */
export async function activatePerson(tx: Tx, person_id: PersonId): Promise<void> {
  await tx.query(sql`select activate_person(${person_id})`);
}
