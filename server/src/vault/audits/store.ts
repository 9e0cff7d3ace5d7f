import { join, type Read, type Sql, sql, type Tx } from "../../db/sql.ts";
import type { AuditGrantId, EnvelopeId, OrgId, PersonId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import type { AuditFilter, AuditGrant } from "./grant.ts";

/** The SQL of audit grants. */

const columns = sql`g.grant_id, g.party_id, p.name as party_name, g.envelope_ids, g.filter, g.may_download, g.until, g.granted_by, g.granted_at,
  g.revoked_at`;
const from = sql`audit_grants g join parties p on p.org_id = g.org_id and p.party_id = g.party_id`;

export async function findGrant(read: Read, org: OrgId, grant_id: AuditGrantId): Promise<AuditGrant> {
  const { rows } = await read.query<AuditGrant>(sql`select ${columns} from ${from} where g.org_id = ${org} and g.grant_id = ${grant_id}`);
  if (rows[0] === undefined) throw new Problem("audit_grant_not_found");
  return rows[0];
}

export async function listGrants(
  read: Read,
  org: OrgId,
  { party_id }: { readonly party_id?: string },
  { page, limit }: PageRequest,
): Promise<Page<AuditGrant>> {
  const which = join([sql`g.org_id = ${org}`, ...(party_id === undefined ? [] : [sql`g.party_id = ${party_id}`])], " and ");
  const { rows } = await read.query<AuditGrant>(sql`
    select ${columns} from ${from} where ${which} order by g.grant_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from audit_grants g where ${which}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export async function insertGrant(tx: Tx, org: OrgId, grant: Omit<AuditGrant, "party_name" | "revoked_at">): Promise<void> {
  const { grant_id, party_id, envelope_ids, filter, may_download, until, granted_by, granted_at } = grant;
  await tx.query(sql`
    insert into audit_grants (org_id, grant_id, party_id, envelope_ids, filter, may_download, until, granted_by, granted_at)
    values (${org}, ${grant_id}, ${party_id}, ${envelope_ids}, ${filter === null ? null : JSON.stringify(filter)}, ${may_download}, ${until},
      ${JSON.stringify(granted_by)}, ${granted_at})`);
}

/** False if it was revoked before. */
export async function revokeGrantRow(tx: Tx, org: OrgId, grant_id: AuditGrantId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update audit_grants set revoked_at = ${tx.now} where org_id = ${org} and grant_id = ${grant_id} and revoked_at is null`);
  return rowCount === 1;
}

/** Those of the ids that are vaulted records of the organization. */
export async function vaultedOf(read: Read, org: OrgId, envelope_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await read.query<{ envelope_id: string }>(sql`
    select c.envelope_id from authoritative_copies c where c.org_id = ${org} and c.vault_no is not null and c.envelope_id = any(${envelope_ids})`);
  return new Set(rows.map(({ envelope_id }) => envelope_id));
}

/** The vaulted records of a grant as things stand now, newest first. `only`: this one, if it is one of them. */
export async function recordsOfGrant(
  read: Read,
  org: OrgId,
  { envelope_ids, filter }: Pick<AuditGrant, "envelope_ids" | "filter">,
  limit: number,
  only: EnvelopeId | null = null,
): Promise<EnvelopeId[]> {
  const conditions = [sql`c.org_id = ${org}`, sql`c.vault_no is not null`, ...conditionsOf(envelope_ids, filter)];
  if (only !== null) conditions.push(sql`c.envelope_id = ${only}`);
  const { rows } = await read.query<{ envelope_id: EnvelopeId }>(sql`
    select c.envelope_id from authoritative_copies c join envelopes e on e.org_id = c.org_id and e.envelope_id = c.envelope_id
    where ${join(conditions, " and ")} order by c.vault_no desc limit ${limit}`);
  return rows.map(({ envelope_id }) => envelope_id);
}

function conditionsOf(envelope_ids: AuditGrant["envelope_ids"], filter: AuditFilter | null): Sql[] {
  if (envelope_ids !== null) return [sql`c.envelope_id = any(${envelope_ids})`];
  const { customer_id, controller_party_id, external_ids } = filter ?? {};
  return [
    ...(customer_id === undefined ? [] : [sql`e.customer_id = ${customer_id}`]),
    ...(controller_party_id === undefined ? [] : [sql`c.controller_party_id = ${controller_party_id}`]),
    ...(external_ids === undefined ? [] : [sql`e.external_id = any(${external_ids})`]),
  ];
}

/** In all organizations. A function with the owner's rights. */
export async function grantsOfPerson(
  read: Read,
  person_id: PersonId,
  limit: number,
): Promise<{ readonly org_id: OrgId; readonly grant_id: AuditGrantId }[]> {
  const { rows } = await read.query<{ org_id: OrgId; grant_id: AuditGrantId }>(sql`
    select org_id, grant_id from audit_grants_of_person(${person_id}, ${limit})`);
  return rows;
}
