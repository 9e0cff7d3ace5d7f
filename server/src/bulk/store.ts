import { lockRecord } from "../db/locks.ts";
import { join, type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import { type BatchId, isId, type KeyId, type OrgId, type TemplateId, type UserId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { Batch, BatchState, FileProblem, PauseReason, StartedBy } from "./batch.ts";

/** The SQL of batches. */

const columns = sql`batch_id, template_id, name, state, reason, options, file_sha256, template_sha256, columns, problems, rows, ready, invalid, sent,
  failed, skipped, warned, faults, fault, fault_row, run_no, paced_until, created_by, started_by, certification, created_at, started_at, ended_at, erased_at`;

const one = (org: OrgId, batch_id: BatchId): Sql => sql`org_id = ${org} and batch_id = ${batch_id}`;

export async function findBatch(read: Read, org: OrgId, batch_id: BatchId): Promise<Batch> {
  const { rows } = await read.query<Batch>(sql`select ${columns} from bulk_batches where ${one(org, batch_id)}`);
  if (rows[0] === undefined) throw new Problem("batch_not_found");
  return rows[0];
}

/** After `lockOrg`, if the transaction needs both, and before the lock of an envelope. */
export async function lockBatch(tx: Tx, org: OrgId, batch_id: BatchId): Promise<Batch> {
  const { rows } = await tx.query<Batch>(sql`select ${columns} from bulk_batches where ${one(org, batch_id)} for no key update`);
  if (rows[0] === undefined) throw new Problem("batch_not_found");
  return rows[0];
}

/** Taken by everything that decides which batch of an organization runs. */
export async function lockOrg(tx: Tx, org: OrgId): Promise<void> {
  await lockRecord(tx, "bulk", org);
}

export async function listBatches(
  read: Read,
  org: OrgId,
  { state, template_id }: { readonly state?: BatchState | undefined; readonly template_id?: string | undefined },
  { page, limit }: PageRequest,
): Promise<Page<Batch>> {
  const conditions = [sql`org_id = ${org}`];
  if (state !== undefined) conditions.push(sql`state = ${state}`);
  if (template_id !== undefined) conditions.push(sql`template_id = ${template_id}`);
  const wanted = join(conditions, " and ");
  const { rows } = await read.query<Batch>(sql`
    select ${columns} from bulk_batches where ${wanted} order by batch_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from bulk_batches where ${wanted}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export type NewBatch = Pick<Batch, "batch_id" | "template_id" | "name" | "options" | "file_sha256" | "created_by">;

export async function insertBatch(tx: Tx, org: OrgId, batch: NewBatch, content: Uint8Array): Promise<void> {
  const { batch_id, template_id, name, options, file_sha256, created_by } = batch;
  await tx.query(sql`
    insert into bulk_batches (org_id, batch_id, template_id, name, state, options, file_sha256, created_by)
    values (${org}, ${batch_id}, ${template_id}, ${name}, 'checking', ${JSON.stringify(options)}, ${file_sha256}, ${JSON.stringify(created_by)})`);
  await tx.query(sql`insert into bulk_files (org_id, batch_id, content) values (${org}, ${batch_id}, ${Buffer.from(content)})`);
}

/** Null once its rows were read. */
export async function lookUpFile(read: Read, org: OrgId, batch_id: BatchId): Promise<Uint8Array | null> {
  const { rows } = await read.query<{ content: Buffer }>(sql`select content from bulk_files where ${one(org, batch_id)}`);
  return rows[0]?.content ?? null;
}

export async function deleteFile(tx: Tx, org: OrgId, batch_id: BatchId): Promise<void> {
  await tx.query(sql`delete from bulk_files where ${one(org, batch_id)}`);
}

export async function setRefused(
  tx: Tx,
  org: OrgId,
  batch_id: BatchId,
  header: readonly string[],
  problems: readonly FileProblem[],
): Promise<void> {
  await tx.query(sql`
    update bulk_batches set state = 'refused', columns = ${header}, problems = ${JSON.stringify(problems)}, changed_at = now()
    where ${one(org, batch_id)}`);
}

export async function setChecked(tx: Tx, org: OrgId, batch_id: BatchId, header: readonly string[], template_sha256: string): Promise<void> {
  await tx.query(sql`
    update bulk_batches set state = 'checked', reason = null, columns = ${header}, problems = '[]', template_sha256 = ${template_sha256},
      changed_at = now()
    where ${one(org, batch_id)}`);
  await countRows(tx, org, batch_id);
}

/** For changes of many rows at once. A row that is settled on its own changes the numbers with it. */
export async function countRows(tx: Tx, org: OrgId, batch_id: BatchId): Promise<void> {
  await tx.query(sql`
    update bulk_batches b set rows = c.rows, ready = c.ready, invalid = c.invalid, sent = c.sent, failed = c.failed, skipped = c.skipped,
      warned = c.warned
    from (select count(*)::int as rows, count(*) filter (where state = 'ready')::int as ready,
        count(*) filter (where state = 'invalid')::int as invalid, count(*) filter (where state = 'sent')::int as sent,
        count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'skipped')::int as skipped,
        count(*) filter (where state = 'ready' and warnings <> '[]')::int as warned
      from bulk_rows where ${one(org, batch_id)}) c
    where b.org_id = ${org} and b.batch_id = ${batch_id}`);
}

/** The caller holds `lockOrg`. */
export async function hasRunning(read: Read, org: OrgId): Promise<boolean> {
  const { rows } = await read.query(sql`select from bulk_batches where org_id = ${org} and state = 'running'`);
  return rows.length > 0;
}

export async function setStarted(
  tx: Tx,
  org: OrgId,
  batch_id: BatchId,
  { started_by, certification }: { readonly started_by: StartedBy; readonly certification: object | null },
): Promise<void> {
  await tx.query(sql`
    update bulk_batches set started_by = ${JSON.stringify(started_by)},
      certification = ${certification === null ? null : JSON.stringify(certification)}, state = 'queued', reason = null, queued_at = now(),
      changed_at = now()
    where ${one(org, batch_id)}`);
}

/** Returns the number of this run. */
export async function setRunning(tx: Tx, org: OrgId, batch_id: BatchId): Promise<number> {
  const { rows } = await tx.query<{ run_no: number }>(sql`
    update bulk_batches set state = 'running', queued_at = null, started_at = coalesce(started_at, now()), run_no = run_no + 1, faults = 0,
      fault = null, fault_row = null, changed_at = now()
    where ${one(org, batch_id)} returning run_no`);
  if (rows[0] === undefined) throw new Problem("batch_not_found");
  return rows[0].run_no;
}

/** The one that waits longest. */
export async function lookUpQueued(read: Read, org: OrgId): Promise<BatchId | null> {
  const { rows } = await read.query<{ batch_id: BatchId }>(sql`
    select batch_id from bulk_batches where org_id = ${org} and state = 'queued' order by queued_at, batch_id limit 1`);
  return rows[0]?.batch_id ?? null;
}

export async function setPaused(tx: Tx, org: OrgId, batch_id: BatchId, reason: PauseReason): Promise<void> {
  await tx.query(sql`
    update bulk_batches set state = 'paused', reason = ${reason}, faults = 0, fault = null, fault_row = null, changed_at = now()
    where ${one(org, batch_id)}`);
}

export async function setCancelled(tx: Tx, org: OrgId, batch_id: BatchId): Promise<void> {
  await tx.query(sql`
    update bulk_batches set state = 'cancelled', reason = null, queued_at = null, changed_at = now() where ${one(org, batch_id)}`);
}

/** A cancelled batch stays cancelled. */
export async function setEnded(tx: Tx, org: OrgId, batch_id: BatchId): Promise<void> {
  await tx.query(sql`
    update bulk_batches set state = case state when 'cancelled' then state else 'ended' end, ended_at = now(), changed_at = now()
    where ${one(org, batch_id)}`);
}

export async function setChecking(tx: Tx, org: OrgId, batch_id: BatchId): Promise<void> {
  await tx.query(sql`
    update bulk_batches set state = 'checking', reason = null, ended_at = null, changed_at = now() where ${one(org, batch_id)}`);
}

export async function setPace(tx: Tx, org: OrgId, batch_id: BatchId, paced_until: Date): Promise<void> {
  await tx.query(sql`update bulk_batches set paced_until = ${paced_until} where ${one(org, batch_id)}`);
}

/** The template's row is the lock of its fields: until this transaction ends, no one changes them. */
export async function lockTemplateAsItIs(tx: Tx, org: OrgId, template_id: TemplateId): Promise<void> {
  await tx.query(sql`select from templates where org_id = ${org} and template_id = ${template_id} for share`);
}

/** What everyone who acts on an envelope must at least prove. */
export async function findMinIdentityLevel(read: Read, org: OrgId): Promise<number> {
  const { rows } = await read.query<{ min_identity_level: number }>(sql`
    select min_identity_level from org_security where org_id = ${org}`);
  return rows[0]?.min_identity_level ?? 0;
}

/** The member who created a key. */
export async function lookUpKeyOwner(read: Read, org: OrgId, key_id: KeyId): Promise<UserId | null> {
  const { rows } = await read.query<{ created_by: string }>(sql`
    select created_by from api_keys where org_id = ${org} and key_id = ${key_id}`);
  const owner = rows[0]?.created_by;
  return owner !== undefined && isId("user", owner) ? owner : null;
}

export async function findOldBatches(read: Read, days: number, limit: number): Promise<{ org_id: OrgId; batch_id: BatchId }[]> {
  const { rows } = await read.query<{ org_id: OrgId; batch_id: BatchId }>(sql`
    select org_id, batch_id from find_old_batches(make_interval(days => ${days}), ${limit})`);
  return rows;
}

export async function setErased(tx: Tx, org: OrgId, batch_id: BatchId): Promise<void> {
  await tx.query(sql`
    update bulk_batches set erased_at = now(), state = case when state in ('checked', 'paused') then 'cancelled' else state end,
      ended_at = case when state = 'refused' then ended_at else coalesce(ended_at, now()) end
    where ${one(org, batch_id)}`);
}
