import { join, type Read, sql, type Tx } from "../../db/sql.ts";
import type { AuthoritativeCopyId, EndingId, ExportId, OrgId, PersonId, VaultTransferId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import { type LockedCopy, requireOne } from "../copy.ts";
import { type ExportState, KEY_LIFE_HOURS, type Receipt, type SignedReceipt, type VaultExport } from "./export.ts";

/** All SQL of exports. Callers that write hold the copy's lock. */

const stateNow = sql`case when x.state = 'escrowed' and x.expires_at <= clock_timestamp() then 'expired' else x.state end`;
// The key of an export from before recipients were people is null after its time, even before the job has run.
const columns = sql`x.export_id, x.copy_id, x.envelope_id, ${stateNow} as state, x.recipient, x.reason, x.package_path, x.package_sha256,
  x.package_size, case when x.state = 'escrowed' or x.person_id is not null or x.closed_at > clock_timestamp() - make_interval(hours => ${KEY_LIFE_HOURS}) then x.key_enc end as key_enc,
  x.receipt, x.initiated_by, x.principal, x.principal_email, x.person_id, x.act_id, x.downloaded_at, x.created_at, x.expires_at, x.closed_at`;

export async function findExport(read: Read, org: OrgId, export_id: ExportId): Promise<VaultExport> {
  const { rows } = await read.query<VaultExport>(sql`
    select ${columns} from vault_exports x where x.org_id = ${org} and x.export_id = ${export_id}`);
  if (rows[0] === undefined) throw new Problem("export_not_found");
  return rows[0];
}

export type NewExport = Omit<VaultExport, "state" | "receipt" | "closed_at" | "downloaded_at"> & { readonly key_enc: Buffer };

export async function insertExport(tx: Tx, org: OrgId, one: NewExport): Promise<void> {
  await tx.query(sql`
    insert into vault_exports (org_id, export_id, copy_id, envelope_id, recipient, reason, package_path, package_sha256, package_size,
      key_enc, initiated_by, principal, principal_email, person_id, act_id, created_at, expires_at)
    values (${org}, ${one.export_id}, ${one.copy_id}, ${one.envelope_id}, ${JSON.stringify(one.recipient)}, ${one.reason},
      ${one.package_path}, ${one.package_sha256}, ${one.package_size}, ${one.key_enc}, ${JSON.stringify(one.initiated_by)},
      ${one.principal}, ${one.principal_email}, ${one.person_id}, ${one.act_id}, ${one.created_at}, ${one.expires_at})`);
}

export async function saveReceipt(tx: Tx, org: OrgId, export_id: ExportId, document: Receipt, closed_at: Date): Promise<void> {
  const receipt = { document, signature: null };
  const { rowCount } = await tx.query(sql`
    update vault_exports set state = 'acknowledged', receipt = ${JSON.stringify(receipt)}, closed_at = ${closed_at}
    where org_id = ${org} and export_id = ${export_id} and state = 'escrowed'`);
  requireOne(rowCount, `${export_id} is escrowed no longer`);
}

/** A second signature of a receipt changes nothing. */
export async function signSavedReceipt(tx: Tx, org: OrgId, export_id: ExportId, receipt: SignedReceipt): Promise<void> {
  await tx.query(sql`
    update vault_exports set receipt = ${JSON.stringify(receipt)}
    where org_id = ${org} and export_id = ${export_id} and receipt ->> 'signature' is null`);
}

/** The same statement erases the key, so the package can never be opened. */
export async function closeExport(tx: Tx, org: OrgId, export_id: ExportId, state: "cancelled" | "expired", closed_at: Date): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update vault_exports set state = ${state}, key_enc = null, closed_at = ${closed_at}
    where org_id = ${org} and export_id = ${export_id} and state = 'escrowed'`);
  requireOne(rowCount, `${export_id} is escrowed no longer`);
}

/** False if there was no key. */
export async function eraseKey(tx: Tx, org: OrgId, export_id: ExportId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update vault_exports set key_enc = null
    where org_id = ${org} and export_id = ${export_id} and state = 'acknowledged' and key_enc is not null and person_id is null
      and closed_at <= clock_timestamp() - make_interval(hours => ${KEY_LIFE_HOURS})`);
  return rowCount === 1;
}

/** The first download counts: without one, the recipient cannot have the package. */
export async function noteDownload(tx: Tx, org: OrgId, export_id: ExportId): Promise<void> {
  await tx.query(sql`
    update vault_exports set downloaded_at = coalesce(downloaded_at, clock_timestamp()) where org_id = ${org} and export_id = ${export_id}`);
}

/** Of all organizations. */
export async function listExportsOfPerson(
  read: Read,
  person_id: PersonId,
  limit: number,
): Promise<{ org_id: OrgId; export_id: ExportId }[]> {
  const { rows } = await read.query<{ org_id: OrgId; export_id: ExportId }>(sql`
    select org_id, export_id from exports_of_person(${person_id}, ${limit})`);
  return rows;
}

/** The organization whose export it is; null if the person is not its recipient. */
export async function lookUpExportOfPerson(read: Read, person_id: PersonId, export_id: ExportId): Promise<OrgId | null> {
  const { rows } = await read.query<{ org_id: OrgId | null }>(sql`select find_export_of_person(${person_id}, ${export_id}) as org_id`);
  return rows[0]?.org_id ?? null;
}

export interface DueExport {
  readonly org_id: OrgId;
  readonly export_id: ExportId;
  readonly due: "expire" | "erase_key";
}

export async function findDueExports(tx: Tx, limit: number): Promise<DueExport[]> {
  const { rows } = await tx.query<DueExport>(sql`
    select org_id, export_id, due from find_due_exports(make_interval(hours => ${KEY_LIFE_HOURS}), ${limit})`);
  return rows;
}

export interface ExportFilter {
  readonly envelope_id?: string;
  readonly status?: ExportState;
}

export async function listExports(read: Read, org: OrgId, filter: ExportFilter, { page, limit }: PageRequest): Promise<Page<VaultExport>> {
  const conditions = [sql`x.org_id = ${org}`];
  if (filter.envelope_id !== undefined) conditions.push(sql`x.envelope_id = ${filter.envelope_id}`);
  if (filter.status !== undefined) conditions.push(sql`${stateNow} = ${filter.status}`);
  const which = join(conditions, " and ");
  const { rows } = await read.query<VaultExport>(sql`
    select ${columns} from vault_exports x where ${which} order by x.export_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from vault_exports x where ${which}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

type Holder = ExportId | VaultTransferId | EndingId;

/** The export, overdue or not, the transfer to another vault, or the replacement by paper that holds the copy. */
export async function lookUpEscrow(read: Read, org: OrgId, copy_id: AuthoritativeCopyId): Promise<Holder | null> {
  const { rows } = await read.query<{ held_by: Holder }>(sql`
    select export_id as held_by from vault_exports where org_id = ${org} and copy_id = ${copy_id} and state = 'escrowed'
    union all
    select transfer_id from vault_transfers where org_id = ${org} and copy_id = ${copy_id} and direction = 'out' and k_enc is not null
    union all
    select ending_id from record_endings where org_id = ${org} and copy_id = ${copy_id} and kind = 'paper' and state = 'begun'`);
  return rows[0]?.held_by ?? null;
}

/** The copy stays `tampered`. When its bytes are repaired, it returns to the vault and not to the escrow that has ended. */
export async function returnTampered(tx: Tx, org: OrgId, { copy_id }: LockedCopy): Promise<void> {
  await tx.query(sql`
    update authoritative_copies set state_before_tamper = 'active'
    where org_id = ${org} and copy_id = ${copy_id} and state = 'tampered'`);
}
