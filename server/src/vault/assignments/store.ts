import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { ActId, EnvelopeId, OrgId, PartyId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { requireOne } from "../copy.ts";
import type { Assignment } from "./assignment.ts";

/** All SQL of the register. Rows are inserted under the envelope's lock. Later only `party_id`, `act_id` and `confirmation` change. */

const columns = sql`envelope_id, seq, party, party_sha256, consent, state, party_id, act_id, confirmation, entry_seq, recorded_at`;

/** The present secured party; null before the first designation. */
export async function lookUpAssignee(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Assignment | null> {
  const { rows } = await read.query<Assignment>(sql`
    select ${columns} from assignments
    where org_id = ${org} and envelope_id = ${envelope_id} and state = 'effective' order by seq desc limit 1`);
  return rows[0] ?? null;
}

export async function insertAssignment(tx: Tx, org: OrgId, row: Assignment): Promise<void> {
  const consent = row.consent === null ? null : JSON.stringify(row.consent);
  await tx.query(sql`
    insert into assignments (org_id, envelope_id, seq, party, party_sha256, consent, state, party_id, act_id, confirmation, entry_seq, recorded_at)
    values (${org}, ${row.envelope_id}, ${row.seq}, ${JSON.stringify(row.party)}, ${row.party_sha256}, ${consent}, ${row.state},
      ${row.party_id}, ${row.act_id}, ${row.confirmation}, ${row.entry_seq}, ${row.recorded_at})`);
}

/** The only change to a row after it was inserted: that its party confirmed it, or that it was corrected. */
export async function confirmAssignment(
  tx: Tx,
  org: OrgId,
  { envelope_id, seq }: Pick<Assignment, "envelope_id" | "seq">,
  { confirmation, act_id }: Pick<Assignment, "confirmation"> & { readonly act_id: ActId },
): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update assignments set confirmation = ${confirmation}, act_id = ${act_id}
    where org_id = ${org} and envelope_id = ${envelope_id} and seq = ${seq} and confirmation = 'unconfirmed'`);
  requireOne(rowCount, `row ${seq} of ${envelope_id} is unconfirmed no longer`);
}

/** Names the party of a row that had only a name. */
export async function linkAssignment(
  tx: Tx,
  org: OrgId,
  { envelope_id, seq }: Pick<Assignment, "envelope_id" | "seq">,
  party_id: PartyId,
): Promise<void> {
  await tx.query(sql`
    update assignments set party_id = ${party_id}
    where org_id = ${org} and envelope_id = ${envelope_id} and seq = ${seq} and party_id is null`);
}

export async function listAssignments(
  read: Read,
  org: OrgId,
  envelope_id: EnvelopeId,
  { page, limit }: PageRequest,
): Promise<Page<Assignment>> {
  const { rows } = await read.query<Assignment>(sql`
    select ${columns} from assignments where org_id = ${org} and envelope_id = ${envelope_id}
    order by seq desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from assignments where org_id = ${org} and envelope_id = ${envelope_id}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}
