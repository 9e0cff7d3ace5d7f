import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { CustomerId, EnvelopeId, OrgId } from "../../shared/ids.ts";

/** The SQL of what a record from another vault brings along. */

export async function hasCustomer(read: Read, org: OrgId, customer_id: CustomerId): Promise<boolean> {
  const { rows } = await read.query(sql`select from customers where org_id = ${org} and customer_id = ${customer_id}`);
  return rows.length === 1;
}

/** The customer who was chosen, or the one into which they were merged since. They can be neither merged nor deleted before the commit. */
export async function holdCurrentCustomer(tx: Tx, org: OrgId, customer_id: CustomerId): Promise<CustomerId> {
  const { rows } = await tx.query<{ customer_id: CustomerId }>(sql`
    select coalesce(merged_into, customer_id) as customer_id from customers
    where org_id = ${org} and customer_id = ${customer_id} for key share`);
  if (rows[0] === undefined) throw new Error("a record arrived for a customer that does not exist");
  return rows[0].customer_id;
}

export interface OriginPlace {
  readonly root_sha256: string;
  readonly org_id: string;
  readonly envelope_id: string;
  readonly copy_id: string;
}

export interface OriginRow {
  readonly transfer_id: string;
  readonly bundle_sha256: string;
  readonly release: Buffer;
  readonly release_signature: Buffer;
  readonly vault: OriginPlace;
  readonly first: OriginPlace;
}

export async function insertOrigin(tx: Tx, org: OrgId, envelope_id: EnvelopeId, one: OriginRow): Promise<void> {
  await tx.query(sql`
    insert into record_origins (org_id, envelope_id, transfer_id, bundle_sha256, release, release_signature, vault, first)
    values (${org}, ${envelope_id}, ${one.transfer_id}, ${one.bundle_sha256}, ${one.release}, ${one.release_signature},
      ${JSON.stringify(one.vault)}, ${JSON.stringify(one.first)})`);
}

export async function lookUpOriginRow(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<OriginRow | null> {
  const { rows } = await read.query<OriginRow>(sql`
    select transfer_id, bundle_sha256, release, release_signature, vault, first from record_origins
    where org_id = ${org} and envelope_id = ${envelope_id}`);
  return rows[0] ?? null;
}

export interface ContinuedAssignment {
  readonly seq: number;
  readonly party: unknown;
  readonly party_sha256: string;
  readonly consent: unknown;
  readonly entry_seq: number;
}

/** A row of the register of the vault before, under its own number. */
export async function insertContinued(tx: Tx, org: OrgId, envelope_id: EnvelopeId, row: ContinuedAssignment): Promise<void> {
  await tx.query(sql`
    insert into assignments (org_id, envelope_id, seq, party, party_sha256, consent, state, entry_seq)
    values (${org}, ${envelope_id}, ${row.seq}, ${JSON.stringify(row.party)}, ${row.party_sha256},
      ${row.consent === null ? null : JSON.stringify(row.consent)}, 'effective', ${row.entry_seq})`);
}
