import { join, type Read, type Sql, sql, type Tx } from "../../db/sql.ts";
import type { ActId, AuthoritativeCopyId, EnvelopeId, OrgId, PermissionId, UserId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import { type LockedCopy, requireOne } from "../copy.ts";
import { isKeptBy } from "./kept-store.ts";
import { type Permission, type PermissionState, statusOf, type Transfer, type TransferStatus } from "./permission.ts";

/** All SQL of custody. Callers that write hold the copy's lock. */

const stateNow = sql`case when p.state = 'pending' and p.expires_at <= clock_timestamp() then 'expired' else p.state end`;
const columns = sql`p.permission_id, p.copy_id, p.envelope_id, p.user_id, p.from_user_id, ${stateNow} as state, p.expected_version,
  p.initiated_by, p.reason, p.initiated_at, p.expires_at, p.activated_at, p.closed_at, p.act_id`;

export async function findTransfer(read: Read, org: OrgId, permission_id: PermissionId): Promise<Transfer> {
  const { rows } = await read.query<Transfer>(sql`
    select ${columns} from custodian_permissions p
    where p.org_id = ${org} and p.permission_id = ${permission_id} and p.from_user_id is not null`);
  if (rows[0] === undefined) throw new Problem("transfer_not_found");
  return rows[0];
}

/** Null: the act moved no one, because it names the present custodian. */
/** Of one record: an act on many has a transfer for each. */
export async function lookUpTransferOfAct(read: Read, org: OrgId, act_id: ActId, envelope_id: EnvelopeId): Promise<Transfer | null> {
  const { rows } = await read.query<Transfer>(sql`
    select ${columns} from custodian_permissions p where p.org_id = ${org} and p.act_id = ${act_id} and p.envelope_id = ${envelope_id}`);
  return rows[0] ?? null;
}

/** There is exactly one until the copy leaves the vault. */
export async function findCustodian(read: Read, org: OrgId, copy_id: AuthoritativeCopyId): Promise<Permission> {
  const { rows } = await read.query<Permission>(sql`
    select ${columns} from custodian_permissions p where p.org_id = ${org} and p.copy_id = ${copy_id} and p.state = 'active'`);
  if (rows[0] === undefined) throw new Error(`${copy_id} has no custodian`);
  return rows[0];
}

/** The member cannot be removed from the organization until this transaction ends. */
export async function lockMember(tx: Tx, org: OrgId, user_id: UserId): Promise<boolean> {
  const { rows } = await tx.query(sql`select from members where org_id = ${org} and user_id = ${user_id} for key share`);
  return rows.length === 1;
}

export async function lookUpMember(read: Read, org: OrgId, user_id: UserId): Promise<{ user_id: UserId; name: string } | null> {
  const { rows } = await read.query<{ user_id: UserId; name: string }>(sql`
    select user_id, u.name from members m join users u using (user_id) where m.org_id = ${org} and user_id = ${user_id}`);
  return rows[0] ?? null;
}

export async function isMember(read: Read, org: OrgId, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query(sql`select from members where org_id = ${org} and user_id = ${user_id}`);
  return rows.length === 1;
}

export type NewTransfer = Pick<
  Transfer,
  "permission_id" | "user_id" | "from_user_id" | "initiated_by" | "reason" | "expires_at" | "act_id"
>;

/** False if another transfer is pending. */
export async function insertTransfer(tx: Tx, org: OrgId, copy: LockedCopy, transfer: NewTransfer): Promise<boolean> {
  const { permission_id, user_id, from_user_id, initiated_by, reason, expires_at, act_id } = transfer;
  const { rowCount } = await tx.query(sql`
    insert into custodian_permissions (org_id, permission_id, copy_id, envelope_id, user_id, from_user_id, state, expected_version,
      initiated_by, reason, initiated_at, expires_at, act_id)
    values (${org}, ${permission_id}, ${copy.copy_id}, ${copy.envelope_id}, ${user_id}, ${from_user_id}, 'pending', ${copy.custody_version},
      ${JSON.stringify(initiated_by)}, ${reason}, ${copy.now}, ${expires_at}, ${act_id})
    on conflict (org_id, copy_id) where state = 'pending' do nothing`);
  return rowCount === 1;
}

/** The custodian whose custody ended with a release that did not take effect. */
export async function reinstateCustodian(tx: Tx, org: OrgId, { copy_id }: LockedCopy, permission_id: PermissionId): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update custodian_permissions set state = 'active', closed_at = null
    where org_id = ${org} and copy_id = ${copy_id} and permission_id = ${permission_id} and state = 'released'`);
  requireOne(rowCount, `${permission_id} was not released`);
}

/** Ends the custody of the present custodian. */
export async function releaseCustodian(tx: Tx, org: OrgId, { copy_id, now }: LockedCopy): Promise<PermissionId> {
  const { rows } = await tx.query<{ permission_id: PermissionId }>(sql`
    update custodian_permissions set state = 'released', closed_at = ${now}
    where org_id = ${org} and copy_id = ${copy_id} and state = 'active' returning permission_id`);
  if (rows[0] === undefined) throw new Error(`${copy_id} has no custodian to release`);
  return rows[0].permission_id;
}

/** False if it is no longer pending or was initiated under another custodian. */
export async function activateTransfer(tx: Tx, org: OrgId, copy: LockedCopy, permission_id: PermissionId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update custodian_permissions set state = 'active', activated_at = ${copy.now}
    where org_id = ${org} and permission_id = ${permission_id} and state = 'pending' and expires_at > ${copy.now}
      and expected_version = ${copy.custody_version}`);
  if (rowCount !== 1) return false;
  await tx.query(sql`
    update authoritative_copies set custody_version = custody_version + 1 where org_id = ${org} and copy_id = ${copy.copy_id}`);
  return true;
}

export async function closeTransfer(
  tx: Tx,
  org: OrgId,
  { now }: LockedCopy,
  permission_id: PermissionId,
  state: "rejected" | "cancelled" | "expired",
): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update custodian_permissions set state = ${state}, closed_at = ${now}
    where org_id = ${org} and permission_id = ${permission_id} and state = 'pending'`);
  requireOne(rowCount, `${permission_id} is pending no longer`);
}

/** The unanswered transfer, overdue or not. */
export async function lookUpPending(
  read: Read,
  org: OrgId,
  copy_id: AuthoritativeCopyId,
): Promise<{ permission_id: PermissionId; state: "pending" | "expired" } | null> {
  const { rows } = await read.query<{ permission_id: PermissionId; state: "pending" | "expired" }>(sql`
    select p.permission_id, ${stateNow} as state from custodian_permissions p
    where p.org_id = ${org} and p.copy_id = ${copy_id} and p.state = 'pending'`);
  return rows[0] ?? null;
}

export async function findDueTransfers(tx: Tx, limit: number): Promise<{ org_id: OrgId; permission_id: PermissionId }[]> {
  const { rows } = await tx.query<{ org_id: OrgId; permission_id: PermissionId }>(sql`
    select org_id, permission_id from find_due_transfers(${limit})`);
  return rows;
}

export interface TransferFilter {
  readonly to_user_id?: string;
  readonly from_user_id?: string;
  readonly envelope_id?: string;
  readonly status?: TransferStatus;
  /** only transfers of records that this member keeps; null: all */
  readonly keeper: UserId | null;
}

export async function listTransfers(read: Read, org: OrgId, filter: TransferFilter, { page, limit }: PageRequest): Promise<Page<Transfer>> {
  const which = whereOf(org, filter);
  const { rows } = await read.query<Transfer>(sql`
    select ${columns} from custodian_permissions p where ${which} order by p.permission_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from custodian_permissions p where ${which}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

function whereOf(org: OrgId, { to_user_id, from_user_id, envelope_id, status, keeper }: TransferFilter): Sql {
  const conditions = [sql`p.org_id = ${org}`, sql`p.from_user_id is not null`];
  if (to_user_id !== undefined) conditions.push(sql`p.user_id = ${to_user_id}`);
  if (from_user_id !== undefined) conditions.push(sql`p.from_user_id = ${from_user_id}`);
  if (envelope_id !== undefined) conditions.push(sql`p.envelope_id = ${envelope_id}`);
  if (status !== undefined) conditions.push(sql`${stateNow} = any(${statesOf(status)})`);
  if (keeper !== null) conditions.push(isKeptBy(org, keeper, sql`p.envelope_id`));
  return join(conditions, " and ");
}

const statesOf = (status: TransferStatus): string[] =>
  (Object.keys(statusOf) as PermissionState[]).filter((state) => statusOf[state] === status);
