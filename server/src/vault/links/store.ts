import type { ChainHead } from "@countersign/evidence";
import { join, type Read, raw, type Sql, sql, type Tx } from "../../db/sql.ts";
import type { AuthoritativeCopyId, OrgId, VaultTransferId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import type { KeptMessage, SignedMessage, TransferRef, VaultTransfer } from "./link.ts";
import { type Direction, type MessageKind, stateAfter, type TransferEvent, type TransferState } from "./transfer.ts";

/** The SQL of transfers and their messages. Callers that write hold the transfer's row; of a record that leaves, its copy's row first. */

const columns = sql`t.transfer_id, t.direction, t.vault_id, t.sender_root, t.sender_org_id, t.receiver_root, t.receiver_org_id, t.lineage_id,
  t.copy_sha256, t.origin_envelope_id, t.origin_copy_id, t.envelope_id, t.copy_id, t.envelope_name, t.act_id, t.state, t.customer_id,
  t.custodian_user_id, t.accepted_by, t.package_sha256, t.package_size, t.packed_head, t.packed_key_id, t.k_enc, t.release, t.reason,
  t.created_by, t.created_at, t.updated_at, t.expires_at, t.closed_at, t.settled_at, t.attempts, t.last_error,
  (select v.name from remote_vaults v where v.org_id = t.org_id and v.vault_id = t.vault_id) as vault_name`;

const is = (org: OrgId, transfer_id: string, direction: Direction): Sql =>
  sql`t.org_id = ${org} and t.transfer_id = ${transfer_id} and t.direction = ${direction}`;

export async function lookUpTransfer(read: Read, org: OrgId, transfer_id: string, direction: Direction): Promise<VaultTransfer | null> {
  const { rows } = await read.query<VaultTransfer>(sql`select ${columns} from vault_transfers t where ${is(org, transfer_id, direction)}`);
  return rows[0] ?? null;
}

/** For callers of the API, who may see only one direction. */
export async function findTransferOf(
  read: Read,
  org: OrgId,
  transfer_id: VaultTransferId,
  directions: readonly Direction[],
): Promise<VaultTransfer> {
  for (const direction of directions) {
    const found = await lookUpTransfer(read, org, transfer_id, direction);
    if (found !== null) return found;
  }
  throw new Problem("vault_transfer_not_found");
}

/** The transfer that the copy left with; null if it has not left for another vault. */
export async function lookUpReleased(read: Read, org: OrgId, copy_id: AuthoritativeCopyId): Promise<VaultTransfer | null> {
  const { rows } = await read.query<VaultTransfer>(sql`
    select ${columns} from vault_transfers t
    where t.org_id = ${org} and t.copy_id = ${copy_id} and t.direction = 'out' and t.state in ('released', 'confirmed')`);
  return rows[0] ?? null;
}

/** The version of control after the act by which the record was offered took effect; null for an offer without an act. */
export async function lookUpConfirmedVersion(read: Read, org: OrgId, { act_id, envelope_id }: VaultTransfer): Promise<number | null> {
  const { rows } = await read.query<{ version: number }>(sql`
    select coalesce(a.expected_version, i.expected_version) + 1 as version
    from control_acts a left join control_batch_items i
      on i.org_id = a.org_id and i.control_batch_id = a.control_batch_id and i.envelope_id = ${envelope_id}
    where a.org_id = ${org} and a.act_id = ${act_id}`);
  return rows[0]?.version ?? null;
}

export async function lockTransfer(tx: Tx, org: OrgId, transfer_id: string, direction: Direction): Promise<VaultTransfer | null> {
  await tx.query(sql`select from vault_transfers t where ${is(org, transfer_id, direction)} for no key update`);
  return lookUpTransfer(tx, org, transfer_id, direction);
}

type Required =
  | "transfer_id"
  | "direction"
  | "vault_id"
  | "sender_root"
  | "sender_org_id"
  | "receiver_root"
  | "receiver_org_id"
  | "lineage_id"
  | "copy_sha256"
  | "origin_envelope_id"
  | "origin_copy_id"
  | "envelope_id"
  | "copy_id"
  | "envelope_name"
  | "act_id"
  | "created_by"
  | "expires_at";

export type NewVaultTransfer = Pick<VaultTransfer, Required>;

/** False if there is one already. */
export async function insertTransfer(tx: Tx, org: OrgId, one: NewVaultTransfer): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into vault_transfers (org_id, transfer_id, direction, vault_id, sender_root, sender_org_id, receiver_root, receiver_org_id, lineage_id,
      copy_sha256, origin_envelope_id, origin_copy_id, envelope_id, copy_id, envelope_name, act_id, created_by, expires_at)
    values (${org}, ${one.transfer_id}, ${one.direction}, ${one.vault_id}, ${one.sender_root}, ${one.sender_org_id}, ${one.receiver_root},
      ${one.receiver_org_id}, ${one.lineage_id}, ${one.copy_sha256}, ${one.origin_envelope_id}, ${one.origin_copy_id}, ${one.envelope_id},
      ${one.copy_id}, ${one.envelope_name}, ${one.act_id}, ${JSON.stringify(one.created_by)}, ${one.expires_at})
    on conflict do nothing`);
  return rowCount === 1;
}

type Written =
  | "envelope_id"
  | "copy_id"
  | "customer_id"
  | "custodian_user_id"
  | "package_sha256"
  | "package_size"
  | "packed_key_id"
  | "k_enc"
  | "release"
  | "reason";

export type TransferColumns = { readonly [C in Written]?: VaultTransfer[C] } & {
  readonly accepted_by?: string;
  readonly packed_head?: string;
  /** nothing is left to send */
  readonly settled?: boolean;
};

/**
 * The only writer of `state`: follows the table of transfer.ts. The caller holds the row and has read it in this transaction. What has
 * ended erases the key of the package in the same statement.
 */
export async function moveTransfer(
  tx: Tx,
  org: OrgId,
  { transfer_id, direction, state }: VaultTransfer,
  event: TransferEvent,
  { settled = false, ...more }: TransferColumns = {},
): Promise<TransferState> {
  const to = stateAfter(direction, state, event);
  if (to === null) throw new Error(`${transfer_id} is ${state}, which ${event} does not follow`);
  const isEnd = ENDED.includes(to);
  const set = Object.entries(more).map(([column, value]) => sql`, ${raw(column)} = ${value}`);
  const erased = KEYLESS.includes(to) && !("k_enc" in more) ? [sql`, k_enc = null`] : [];
  const { rowCount } = await tx.query(sql`
    update vault_transfers t set state = ${to}, updated_at = clock_timestamp(), attempts = 0, next_at = clock_timestamp(), last_error = null,
      closed_at = case when ${isEnd} then clock_timestamp() end, settled_at = case when ${settled} then clock_timestamp() end
      ${set.length + erased.length === 0 ? sql`` : join([...set, ...erased], "")}
    where ${is(org, transfer_id, direction)} and t.state = ${state}`);
  if (rowCount !== 1) throw new Error(`${transfer_id} is ${state} no longer`);
  return to;
}

const ENDED: readonly TransferState[] = ["done", "confirmed", "cancelled", "refused", "recovered", "disputed"];
const KEYLESS: readonly TransferState[] = ["released", "confirmed", "cancelled", "refused"];

/** The copy is escrowed from now on, and the key says for what. */
export async function setPackageKey(tx: Tx, org: OrgId, { transfer_id, direction }: VaultTransfer, k_enc: Buffer): Promise<void> {
  await tx.query(sql`update vault_transfers t set k_enc = ${k_enc} where ${is(org, transfer_id, direction)}`);
}

/** The receiver keeps the package once it has it, so that it is not fetched again. */
export async function setPackage(
  tx: Tx,
  org: OrgId,
  { transfer_id, direction }: VaultTransfer,
  sha256: string,
  size: number,
): Promise<void> {
  await tx.query(sql`
    update vault_transfers t set package_sha256 = ${sha256}, package_size = ${size} where ${is(org, transfer_id, direction)}`);
}

/** When to try again; null: not before something happens. */
export async function recordAttempt(
  tx: Tx,
  { org_id, transfer_id, direction }: TransferRef,
  { seconds, error }: { readonly seconds: number | null; readonly error: string | null },
): Promise<void> {
  const next = seconds === null ? sql`timestamptz 'infinity'` : sql`(clock_timestamp() + make_interval(secs => ${seconds}))`;
  await tx.query(sql`
    update vault_transfers t set attempts = attempts + 1, last_error = ${error}, next_at = case when direction = 'out' and closed_at is null
      then least(${next}, greatest(expires_at, clock_timestamp() + interval '1 second')) else ${next} end
    where ${is(org_id, transfer_id, direction)} and settled_at is null`);
}

export async function settleTransfer(tx: Tx, { org_id, transfer_id, direction }: TransferRef): Promise<void> {
  await tx.query(sql`
    update vault_transfers t set settled_at = clock_timestamp() where ${is(org_id, transfer_id, direction)} and settled_at is null`);
}

export async function findDueLinks(tx: Tx, limit: number): Promise<TransferRef[]> {
  const { rows } = await tx.query<TransferRef>(sql`select org_id, transfer_id, direction from find_due_links(${limit})`);
  return rows;
}

export async function isOverdue(read: Read, org: OrgId, { transfer_id, direction }: VaultTransfer): Promise<boolean> {
  const { rows } = await read.query<{ overdue: boolean }>(sql`
    select t.expires_at <= clock_timestamp() as overdue from vault_transfers t where ${is(org, transfer_id, direction)}`);
  return rows[0]?.overdue ?? false;
}

/** Keeps the first of its kind. False if there is one already. */
export async function keepMessage(
  tx: Tx,
  org: OrgId,
  { transfer_id, direction }: Pick<VaultTransfer, "transfer_id" | "direction">,
  kind: MessageKind,
  { bytes, signature }: SignedMessage,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into link_messages (org_id, transfer_id, direction, kind, bytes, signature)
    values (${org}, ${transfer_id}, ${direction}, ${kind}, ${bytes}, ${signature}) on conflict do nothing`);
  return rowCount === 1;
}

export async function lookUpMessage(
  read: Read,
  org: OrgId,
  { transfer_id, direction }: Pick<VaultTransfer, "transfer_id" | "direction">,
  kind: MessageKind,
): Promise<KeptMessage | null> {
  const { rows } = await read.query<KeptMessage>(sql`
    select kind, bytes, signature, at from link_messages
    where org_id = ${org} and transfer_id = ${transfer_id} and direction = ${direction} and kind = ${kind}`);
  return rows[0] ?? null;
}

export async function listMessages(
  read: Read,
  org: OrgId,
  { transfer_id, direction }: Pick<VaultTransfer, "transfer_id" | "direction">,
): Promise<KeptMessage[]> {
  const { rows } = await read.query<KeptMessage>(sql`
    select kind, bytes, signature, at from link_messages
    where org_id = ${org} and transfer_id = ${transfer_id} and direction = ${direction} order by at, kind`);
  return rows;
}

export interface TransferFilter {
  readonly direction?: Direction;
  readonly state?: TransferState;
  readonly envelope_id?: string;
  readonly updated_since?: Date;
}

export async function listTransfers(
  read: Read,
  org: OrgId,
  visible: readonly Direction[],
  filter: TransferFilter,
  { page, limit }: PageRequest,
): Promise<Page<VaultTransfer>> {
  const conditions = [sql`t.org_id = ${org}`, sql`t.direction = any(${[...visible]})`];
  if (filter.direction !== undefined) conditions.push(sql`t.direction = ${filter.direction}`);
  if (filter.state !== undefined) conditions.push(sql`t.state = ${filter.state}`);
  if (filter.envelope_id !== undefined) conditions.push(sql`t.envelope_id = ${filter.envelope_id}`);
  if (filter.updated_since !== undefined) conditions.push(sql`t.updated_at >= ${filter.updated_since}`);
  const which = join(conditions, " and ");
  const { rows } = await read.query<VaultTransfer>(sql`
    select ${columns} from vault_transfers t where ${which} order by t.transfer_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from vault_transfers t where ${which}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

/** Whether a copy of this lineage is here and has not left, in whatever organization; not counting the one that this transfer moves. */
export async function isLineageLive(read: Read, lineage_id: string, transfer_id: string): Promise<boolean> {
  const { rows } = await read.query<{ live: boolean }>(sql`select is_lineage_live(${lineage_id}, ${transfer_id}) as live`);
  return rows[0]?.live ?? false;
}

/** Types of the entries after this one, to see whether the record changed since. */
export async function listTypesAfter(read: Read, org: OrgId, subject: string, { seq }: ChainHead): Promise<string[]> {
  const { rows } = await read.query<{ type: string }>(sql`
    select type from audit_entries where org_id = ${org} and subject = ${subject} and seq > ${seq} order by seq`);
  return rows.map(({ type }) => type);
}
