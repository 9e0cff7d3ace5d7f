import { type Read, sql } from "../db/sql.ts";
import type { Affected } from "../jobs/catalogue.ts";
import type { EnvelopeId, OrgId, SealId } from "../shared/ids.ts";

/** The SQL that finds records to evaluate again. */

export interface AffectedRecord {
  readonly envelope_id: EnvelopeId;
  readonly sealed_at: Date;
  readonly seal_id: SealId;
}

/** A batch of the records that the cause concerns now, in the order of their ids. A destroyed copy has nothing left to evaluate. */
export async function listAffected(
  read: Read,
  org: OrgId,
  of: Affected,
  after: EnvelopeId | null,
  limit: number,
): Promise<AffectedRecord[]> {
  const { rows } = await read.query<AffectedRecord>(sql`
    select c.envelope_id, c.sealed_at, c.seal_id from authoritative_copies c
    where c.org_id = ${org} and c.envelope_id > ${after ?? ""} and c.state not in ('destroying', 'destroyed') and ${concerns(org, of)}
    order by c.envelope_id limit ${limit}`);
  return rows;
}

function concerns(org: OrgId, of: Affected) {
  if (of.kind === "seal") {
    const sealedLater = sql`c.seal_id = ${of.seal_id} and c.sealed_at >= ${new Date(of.invalid_from)}`;
    if (of.reason !== "key_compromise") return sealedLater;
    // Then the time by our own clock does not show that a seal is older, and certificates that it sealed are in doubt too.
    return sql`(c.seal_id = ${of.seal_id} or exists (
      select from certificates e join seal_keys s on s.org_id = e.org_id
      where e.org_id = ${org} and e.envelope_id = c.envelope_id and s.seal_id = ${of.seal_id} and e.evaluated_at >= s.created_at
    ))`;
  }
  if (of.kind === "batch") {
    return sql`exists (
      select from control_batch_items i
      where i.org_id = ${org} and i.control_batch_id = ${of.control_batch_id} and i.envelope_id = c.envelope_id and i.state = 'done')`;
  }
  // A copy that has another custodian by now, or a custodian who is a member again, has nothing to lose.
  return sql`exists (
      select from custodian_permissions p
      where p.org_id = ${org} and p.copy_id = c.copy_id and p.state = 'active' and p.user_id = ${of.user_id}
    ) and not exists (select from members m where m.org_id = ${org} and m.user_id = ${of.user_id})`;
}

/** Records whose latest certificate was made under rules 1, in the order of the vault's list. */
export async function listUngraded(
  read: Read,
  org: OrgId,
  after: number,
  limit: number,
): Promise<{ envelope_id: EnvelopeId; vault_no: number }[]> {
  const { rows } = await read.query<{ envelope_id: EnvelopeId; vault_no: number }>(sql`
    select envelope_id, vault_no from authoritative_copies
    where org_id = ${org} and standing = 'not_assessed' and vault_no > ${after} and state not in ('destroying', 'destroyed')
    order by vault_no limit ${limit}`);
  return rows;
}

export async function countUngraded(read: Read, org: OrgId): Promise<number> {
  const { rows } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from authoritative_copies
    where org_id = ${org} and standing = 'not_assessed' and vault_no is not null and state not in ('destroying', 'destroyed')`);
  return rows[0]?.total ?? 0;
}
