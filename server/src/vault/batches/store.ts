import type { BatchTree } from "@countersign/evidence";
import { join, type Read, type Sql, sql, type Tx } from "../../db/sql.ts";
import type { ControlBatchId, OrgId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import { requireOne } from "../copy.ts";
import type { BatchKind, BatchState, ControlBatch, Item, ItemResult, ItemState } from "./batch.ts";

/** The SQL of control batches and their items. */

const stateNow = sql`case
  when b.cancelled_at is not null then 'cancelled' when b.report_signature is not null then 'done'
  when a.act_id is null or a.state in ('confirmed', 'effective', 'superseded') then 'running'
  when a.state = 'proposed' and a.expires_at <= clock_timestamp() then 'expired' else a.state end`;
const columns = sql`b.control_batch_id, b.kind, ${stateNow} as state, b.reason, b.root, b.count, i.done, i.skipped, a.act_id, b.entry_hash,
  b.created_by, b.created_at, b.finished_at`;
const joined = sql`control_batches b
  left join control_acts a on a.org_id = b.org_id and a.control_batch_id = b.control_batch_id
  cross join lateral (
    select count(*) filter (where c.state = 'done')::int as done, count(*) filter (where c.state = 'skipped')::int as skipped
    from control_batch_items c where c.org_id = b.org_id and c.control_batch_id = b.control_batch_id) i`;
const itemColumns = sql`index, envelope_id, copy_sha256, expected_version, record_name, present_party, state, code, result, settled_at`;

export async function findBatch(read: Read, org: OrgId, control_batch_id: ControlBatchId): Promise<ControlBatch> {
  const { rows } = await read.query<ControlBatch>(sql`
    select ${columns} from ${joined} where b.org_id = ${org} and b.control_batch_id = ${control_batch_id}`);
  if (rows[0] === undefined) throw new Problem("control_batch_not_found");
  return rows[0];
}

/** After the lock of the act, if there is one, and before that of the audit chain. */
export async function lockBatch(tx: Tx, org: OrgId, control_batch_id: ControlBatchId): Promise<ControlBatch> {
  await tx.query(sql`
    select from control_batches where org_id = ${org} and control_batch_id = ${control_batch_id} for no key update`);
  return findBatch(tx, org, control_batch_id);
}

export interface BatchFilter {
  readonly state?: BatchState;
  readonly kind?: BatchKind;
}

export async function listBatches(
  read: Read,
  org: OrgId,
  { state, kind }: BatchFilter,
  { page, limit }: PageRequest,
): Promise<Page<ControlBatch>> {
  const conditions = [sql`b.org_id = ${org}`];
  if (kind !== undefined) conditions.push(sql`b.kind = ${kind}`);
  if (state !== undefined) conditions.push(sql`${stateNow} = ${state}`);
  const which = join(conditions, " and ");
  const { rows } = await read.query<ControlBatch>(sql`
    select ${columns} from ${joined} where ${which} order by b.control_batch_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from control_batches b
      left join control_acts a on a.org_id = b.org_id and a.control_batch_id = b.control_batch_id where ${which}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export type NewBatch = Pick<ControlBatch, "control_batch_id" | "kind" | "reason" | "created_by" | "created_at" | "entry_hash">;
export type NewItem = Pick<Item, "envelope_id" | "copy_sha256" | "expected_version" | "record_name" | "present_party">;

export async function insertBatch(tx: Tx, org: OrgId, batch: NewBatch, items: readonly NewItem[], tree: BatchTree): Promise<void> {
  const { control_batch_id } = batch;
  await tx.query(sql`
    insert into control_batches (org_id, control_batch_id, kind, reason, root, count, created_by, created_at, entry_hash)
    values (${org}, ${control_batch_id}, ${batch.kind}, ${batch.reason}, ${tree.root}, ${items.length}, ${JSON.stringify(batch.created_by)},
      ${batch.created_at}, ${batch.entry_hash})`);
  const rows = items.map((item, index) => ({ index, ...item, proof: tree.proofs[index] }));
  await tx.query(sql`
    insert into control_batch_items (org_id, control_batch_id, index, envelope_id, copy_sha256, expected_version, record_name, present_party, proof)
    select ${org}, ${control_batch_id}, r.index, r.envelope_id, r.copy_sha256, r.expected_version, r.record_name,
      r.present_party, r.proof
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (index integer, envelope_id text, copy_sha256 text,
      expected_version integer, record_name text, present_party jsonb, proof text[])`);
}

export interface ItemFilter {
  readonly state?: ItemState;
}

export async function listItems(
  read: Read,
  org: OrgId,
  control_batch_id: ControlBatchId,
  { state }: ItemFilter,
  { page, limit }: PageRequest,
): Promise<Page<Item>> {
  const which = ofBatch(org, control_batch_id, state);
  const { rows } = await read.query<Item>(sql`
    select ${itemColumns} from control_batch_items where ${which} order by index limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from control_batch_items where ${which}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export async function listAllItems(read: Read, org: OrgId, control_batch_id: ControlBatchId): Promise<Item[]> {
  const { rows } = await read.query<Item>(sql`
    select ${itemColumns} from control_batch_items where ${ofBatch(org, control_batch_id)} order by index`);
  return rows;
}

export async function listWaiting(read: Read, org: OrgId, control_batch_id: ControlBatchId, after: number, limit: number): Promise<Item[]> {
  const { rows } = await read.query<Item>(sql`
    select ${itemColumns} from control_batch_items
    where ${ofBatch(org, control_batch_id, "waiting")} and index > ${after} order by index limit ${limit}`);
  return rows;
}

function ofBatch(org: OrgId, control_batch_id: ControlBatchId, state?: ItemState): Sql {
  const all = sql`org_id = ${org} and control_batch_id = ${control_batch_id}`;
  return state === undefined ? all : sql`${all} and state = ${state}`;
}

/** False if another run of the job has settled it. Until this transaction ends, no other run does. */
export async function lockWaiting(tx: Tx, org: OrgId, control_batch_id: ControlBatchId, { index }: Pick<Item, "index">): Promise<boolean> {
  const { rows } = await tx.query<{ state: ItemState }>(sql`
    select state from control_batch_items where ${ofBatch(org, control_batch_id)} and index = ${index} for no key update`);
  return rows[0]?.state === "waiting";
}

export interface Settled {
  readonly state: "done" | "skipped";
  readonly code?: string | null;
  readonly result?: ItemResult | null;
}

/** An item gets one result. A second one changes nothing. */
export async function settleItem(
  tx: Tx,
  org: OrgId,
  control_batch_id: ControlBatchId,
  { index }: Pick<Item, "index">,
  { state, code = null, result = null }: Settled,
): Promise<void> {
  await tx.query(sql`
    update control_batch_items
    set state = ${state}, code = ${code}, result = ${result === null ? null : JSON.stringify(result)}, settled_at = clock_timestamp()
    where ${ofBatch(org, control_batch_id, "waiting")} and index = ${index}`);
}

/** Only without an act. What has no result yet gets none. */
export async function stopBatch(tx: Tx, org: OrgId, control_batch_id: ControlBatchId, code: string): Promise<void> {
  await tx.query(sql`
    update control_batches set cancelled_at = clock_timestamp() where org_id = ${org} and control_batch_id = ${control_batch_id}`);
  await tx.query(sql`
    update control_batch_items set state = 'skipped', code = ${code}, settled_at = clock_timestamp()
    where ${ofBatch(org, control_batch_id, "waiting")}`);
}

export interface SavedReport {
  /** canonical JSON */
  readonly report: string;
  readonly report_signature: string | null;
}

/** Null until the last item has its result. */
export async function lookUpReport(read: Read, org: OrgId, control_batch_id: ControlBatchId): Promise<SavedReport | null> {
  const { rows } = await read.query<SavedReport>(sql`
    select report, report_signature from control_batches
    where org_id = ${org} and control_batch_id = ${control_batch_id} and report is not null`);
  return rows[0] ?? null;
}

export async function saveReport(tx: Tx, org: OrgId, control_batch_id: ControlBatchId, report: string, finished_at: Date): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update control_batches set report = ${report}, finished_at = ${finished_at}
    where org_id = ${org} and control_batch_id = ${control_batch_id} and report is null`);
  requireOne(rowCount, `${control_batch_id} has a report already`);
}

/** A second signature of a report changes nothing. */
export async function signReport(tx: Tx, org: OrgId, control_batch_id: ControlBatchId, signature: string): Promise<void> {
  await tx.query(sql`
    update control_batches set report_signature = ${signature}
    where org_id = ${org} and control_batch_id = ${control_batch_id} and report_signature is null`);
}
