import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { Actor } from "../../shared/caller.ts";
import type { AuthoritativeCopyId, EnvelopeId, HoldId, OrgId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import type { Assignment } from "../assignments/assignment.ts";
import { type AuthoritativeCopy, type LockedCopy, requireOne } from "../copy.ts";
import type { Permission } from "../custody/permission.ts";
import type { LegalHold } from "./hold.ts";

/** The SQL of retention, holds and the sweep. */

const columns = sql`hold_id, envelope_id, copy_id, reason, placed_by, placed_at, released_by, released_at`;

/** A hold of another envelope is not found. */
export async function findHold(read: Read, org: OrgId, envelope_id: EnvelopeId, hold_id: HoldId): Promise<LegalHold> {
  const hold = await lookUpHold(read, org, envelope_id, hold_id);
  if (hold === null) throw new Problem("hold_not_found");
  return hold;
}

export async function lookUpHold(read: Read, org: OrgId, envelope_id: EnvelopeId, hold_id: HoldId): Promise<LegalHold | null> {
  const { rows } = await read.query<LegalHold>(sql`
    select ${columns} from legal_holds where org_id = ${org} and envelope_id = ${envelope_id} and hold_id = ${hold_id}`);
  return rows[0] ?? null;
}

export async function insertHold(tx: Tx, org: OrgId, hold: Omit<LegalHold, "released_by" | "released_at">): Promise<void> {
  const { hold_id, envelope_id, copy_id, reason, placed_by, placed_at } = hold;
  await tx.query(sql`
    insert into legal_holds (org_id, hold_id, envelope_id, copy_id, reason, placed_by, placed_at)
    values (${org}, ${hold_id}, ${envelope_id}, ${copy_id}, ${reason}, ${JSON.stringify(placed_by)}, ${placed_at})`);
}

/** False if it was already released. */
export async function releaseHold(tx: Tx, org: OrgId, hold_id: HoldId, by: Actor, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update legal_holds set released_by = ${JSON.stringify(by)}, released_at = ${at}
    where org_id = ${org} and hold_id = ${hold_id} and released_at is null`);
  return rowCount === 1;
}

export async function listHolds(read: Read, org: OrgId, envelope_id: EnvelopeId, { page, limit }: PageRequest): Promise<Page<LegalHold>> {
  const { rows } = await read.query<LegalHold>(sql`
    select ${columns} from legal_holds where org_id = ${org} and envelope_id = ${envelope_id}
    order by hold_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from legal_holds where org_id = ${org} and envelope_id = ${envelope_id}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export async function isHeld(read: Read, org: OrgId, copy_id: AuthoritativeCopyId): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from legal_holds where org_id = ${org} and copy_id = ${copy_id} and released_at is null limit 1`);
  return rows.length > 0;
}

export async function refuseHeld(tx: Tx, org: OrgId, { copy_id }: AuthoritativeCopy): Promise<void> {
  if (await isHeld(tx, org, copy_id)) throw new Problem("copy_on_hold");
}

/** The lock in the document store lasts at least as long as the retention. */
export async function extendRetention(tx: Tx, org: OrgId, { copy_id, lock_until }: LockedCopy, until: Date): Promise<void> {
  const lock = lock_until > until ? lock_until : until;
  await tx.query(sql`
    update authoritative_copies set retention_until = ${until}, lock_until = ${lock} where org_id = ${org} and copy_id = ${copy_id}`);
}

// The sweep ------------------------------------------------------------------------------------------------------------

export interface CopyToVerify {
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
}

/** The parts that workers verify side by side. Migrations 0140 and 0141 have the same number. */
export const SWEEP_SLICES = 64;

/** Copies of a slice that were not verified for this long, the oldest first. */
export async function findDueCopies(tx: Tx, slice: number, ageHours: number, limit: number): Promise<CopyToVerify[]> {
  const { rows } = await tx.query<CopyToVerify>(sql`
    select org_id, envelope_id from find_copies_of_slice(${slice}, make_interval(hours => ${ageHours}), ${limit})`);
  return rows;
}

export interface Sample {
  /** the same seed gives the same copies */
  readonly seed: string;
  readonly share: number;
  readonly most: number;
  /** those that were verified since then are left out */
  readonly since: Date;
}

export async function sampleCopies(tx: Tx, slice: number, { seed, share, most, since }: Sample, limit: number): Promise<CopyToVerify[]> {
  const { rows } = await tx.query<CopyToVerify>(sql`
    select org_id, envelope_id from sample_copies_of_slice(${slice}, ${seed}, ${share}, ${most}, ${since}, ${limit})`);
  return rows;
}

export interface Chain {
  readonly org_id: OrgId;
  /** an envelope, or the organization itself */
  readonly subject: string;
  /** from 0 to SLICES - 1 */
  readonly slice: number;
}

/** Of all chains. Migrations 0099 to 0101 have the same number. */
export const SLICES = 1_024;

/** The chains of all organizations in the slices from `from` to before `to`, in order, after the given chain. */
export async function findChains(
  tx: Tx,
  { from, to }: { readonly from: number; readonly to: number },
  after: Chain | null,
  limit: number,
): Promise<Chain[]> {
  const { slice, org_id, subject } = after ?? { slice: from, org_id: "", subject: "" };
  const { rows } = await tx.query<Chain>(sql`
    select slice, org_id, subject from find_chains_between(${from}, ${to}, ${slice}, ${org_id}, ${subject}, ${limit})`);
  return rows;
}

/** How far the chains of a slice of the sweep are verified. */
export interface ChainRound {
  readonly began_at: Date;
  /** the last one that was verified, or null before the first */
  readonly reached: Chain | null;
  /** those that could not be verified, which are tried again */
  readonly failed: readonly Chain[];
  /** whether the last one of the slice was reached */
  readonly is_done: boolean;
}

export async function lookUpRound(tx: Tx, slice: number): Promise<ChainRound | null> {
  const { rows } = await tx.query<ChainRound & { [column: string]: unknown }>(sql`
    select began_at, reached, failed, is_done from find_verified_chains(${slice})`);
  return rows[0] ?? null;
}

export async function noteRound(tx: Tx, slice: number, { began_at, reached, failed, is_done }: ChainRound): Promise<void> {
  const chain = reached === null ? null : JSON.stringify(reached);
  await tx.query(sql`
    select note_verified_chains(${slice}, ${began_at}, ${chain}::jsonb, ${JSON.stringify(failed)}::jsonb, ${is_done})`);
}

/** Whether the organization's own trail already has this finding. */
export async function isReported(read: Read, org: OrgId, envelope_id: string, what: string): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from audit_entries e join audit_entry_data d using (org_id, subject, seq)
    where e.org_id = ${org} and e.subject = ${org} and e.type = 'vault.document.tamper_detected'
      and d.data ->> 'envelope_id' = ${envelope_id} and d.data ->> 'what' = ${what} limit 1`);
  return rows.length > 0;
}

export async function listOrgIds(tx: Tx): Promise<OrgId[]> {
  const { rows } = await tx.query<{ org_id: OrgId }>(sql`select org_id from list_orgs()`);
  return rows.map((row) => row.org_id);
}

export async function markVerified(tx: Tx, org: OrgId, { copy_id, now }: Pick<LockedCopy, "copy_id" | "now">): Promise<void> {
  await tx.query(
    sql`update authoritative_copies set verified_at = greatest(verified_at, ${now}) where org_id = ${org} and copy_id = ${copy_id}`,
  );
}

/** The previous state is kept, so that repaired bytes bring the copy back to it. */
export async function markTampered(tx: Tx, org: OrgId, { copy_id, state, now }: LockedCopy): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update authoritative_copies set state = 'tampered', state_before_tamper = ${state}, state_since = ${now}
    where org_id = ${org} and copy_id = ${copy_id} and state = ${state}`);
  requireOne(rowCount, `${copy_id} is ${state} no longer`);
}

export interface CertificateRow {
  readonly revision: number;
  readonly score: number;
  readonly facts_sha256: string;
  readonly json_sha256: string;
  readonly pdf_sha256: string;
}

export async function listCertificates(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<CertificateRow[]> {
  const { rows } = await read.query<CertificateRow>(sql`
    select revision, score, facts_sha256, json_sha256, pdf_sha256 from certificates
    where org_id = ${org} and envelope_id = ${envelope_id} order by revision`);
  return rows;
}

export type PermissionRow = Pick<Permission, "permission_id" | "user_id" | "from_user_id" | "state">;
export type AssignmentRow = Pick<Assignment, "seq" | "party" | "party_sha256" | "consent" | "entry_seq">;

/** As stored: an overdue transfer is still `pending` until it is closed. */
export async function listPermissionRows(read: Read, org: OrgId, copy_id: AuthoritativeCopyId): Promise<PermissionRow[]> {
  const { rows } = await read.query<PermissionRow>(sql`
    select permission_id, user_id, from_user_id, state from custodian_permissions
    where org_id = ${org} and copy_id = ${copy_id} order by permission_id`);
  return rows;
}

export async function listEffectiveRows(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<AssignmentRow[]> {
  const { rows } = await read.query<AssignmentRow>(sql`
    select seq, party, party_sha256, consent, entry_seq from assignments
    where org_id = ${org} and envelope_id = ${envelope_id} and state = 'effective' order by seq`);
  return rows;
}
