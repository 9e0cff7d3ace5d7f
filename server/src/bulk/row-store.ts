import { type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import type { BatchId, EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { Row, RowFault, RowState } from "./batch.ts";

/** The SQL of the rows of batches. */

const columns = sql`row_no, state, data, errors, warnings, envelope_id`;

const ofBatch = (org: OrgId, batch_id: BatchId, state?: RowState): Sql =>
  state === undefined
    ? sql`org_id = ${org} and batch_id = ${batch_id}`
    : sql`org_id = ${org} and batch_id = ${batch_id} and state = ${state}`;

export async function listRows(
  read: Read,
  org: OrgId,
  batch_id: BatchId,
  { state }: { readonly state?: RowState | undefined },
  { page, limit }: PageRequest,
): Promise<Page<Row>> {
  const wanted = ofBatch(org, batch_id, state);
  const { rows } = await read.query<Row>(sql`
    select ${columns} from bulk_rows where ${wanted} order by row_no limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from bulk_rows where ${wanted}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

/** In the order of the file, after a row. */
export async function listRowsAfter(
  read: Read,
  org: OrgId,
  batch_id: BatchId,
  { state, after, limit }: { readonly state?: RowState | undefined; readonly after: number; readonly limit: number },
): Promise<Row[]> {
  const { rows } = await read.query<Row>(sql`
    select ${columns} from bulk_rows where ${ofBatch(org, batch_id, state)} and row_no > ${after} order by row_no limit ${limit}`);
  return rows;
}

export type NewRow = Pick<Row, "row_no" | "state" | "data" | "errors" | "warnings">;

/** A second run of the check writes the same rows again. */
export async function saveRows(tx: Tx, org: OrgId, batch_id: BatchId, rows: readonly NewRow[]): Promise<void> {
  await tx.query(sql`
    insert into bulk_rows as r (org_id, batch_id, row_no, state, data, errors, warnings)
    select ${org}, ${batch_id}, g.row_no, g.state, g.data, g.errors, g.warnings
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (row_no integer, state text, data jsonb, errors jsonb, warnings jsonb)
    on conflict (org_id, batch_id, row_no) do update set state = excluded.state, errors = excluded.errors, warnings = excluded.warnings
    where r.state <> 'sent'`);
}

/** False if another run of the job has given it one, or the row is not ready any more. Until this transaction ends, no one changes the row. */
export async function giveEnvelope(tx: Tx, org: OrgId, batch_id: BatchId, row_no: number, envelope_id: EnvelopeId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update bulk_rows set envelope_id = ${envelope_id} where ${ofBatch(org, batch_id, "ready")} and row_no = ${row_no} and envelope_id is null`);
  return rowCount === 1;
}

/** False if the row was sent or is not ready any more. Until this transaction ends, no one changes the row. */
export async function lockInHand(tx: Tx, org: OrgId, batch_id: BatchId, row_no: number, envelope_id: EnvelopeId): Promise<boolean> {
  const { rows } = await tx.query(sql`
    select from bulk_rows where ${ofBatch(org, batch_id, "ready")} and row_no = ${row_no} and envelope_id = ${envelope_id} for no key update`);
  return rows.length === 1;
}

/** The row and the numbers of its batch in one statement. False if the batch does not run any more; a cancelled one still sends what is in hand. */
export async function settleSent(tx: Tx, org: OrgId, batch_id: BatchId, row_no: number, run_no: number): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    with settled as (
      update bulk_rows set state = 'sent', errors = '[]' where ${ofBatch(org, batch_id, "ready")} and row_no = ${row_no} returning warnings
    )
    update bulk_batches set sent = sent + 1, ready = ready - 1, faults = 0, fault = null, fault_row = null,
      warned = warned - (select count(*)::int from settled where warnings <> '[]')
    where ${ofBatch(org, batch_id)} and run_no = ${run_no} and state in ('running', 'cancelled') and exists (select from settled)`);
  return rowCount === 1;
}

/** `fault`: the code of a failure that is ours, which is counted while the same one follows. Returns how many followed each other. */
export async function settleFailed(
  tx: Tx,
  org: OrgId,
  batch_id: BatchId,
  row_no: number,
  { errors, fault }: { readonly errors: readonly RowFault[]; readonly fault: string | null },
): Promise<number> {
  const { rows } = await tx.query<{ faults: number }>(sql`
    with settled as (
      update bulk_rows set state = 'failed', errors = ${JSON.stringify(errors)}
      where ${ofBatch(org, batch_id, "ready")} and row_no = ${row_no} returning warnings
    )
    update bulk_batches set failed = failed + 1, ready = ready - 1,
      warned = warned - (select count(*)::int from settled where warnings <> '[]'),
      faults = case when ${fault}::text is null then 0 when fault = ${fault} then faults + 1 else 1 end,
      fault_row = case when ${fault}::text is null then null when fault = ${fault} then fault_row else ${row_no}::int end, fault = ${fault}
    where ${ofBatch(org, batch_id)} and exists (select from settled) returning faults`);
  return rows[0]?.faults ?? 0;
}

/** Rows that failed for a reason of ours wait again. */
export async function putBackFaults(tx: Tx, org: OrgId, batch_id: BatchId, from: number): Promise<void> {
  await tx.query(sql`update bulk_rows set state = 'ready', errors = '[]' where ${ofBatch(org, batch_id, "failed")} and row_no >= ${from}`);
}

/** Rows that no envelope was created for yet. Returns whether others are ready: those in hand. */
export async function skipRows(tx: Tx, org: OrgId, batch_id: BatchId): Promise<boolean> {
  await tx.query(sql`update bulk_rows set state = 'skipped' where ${ofBatch(org, batch_id, "ready")} and envelope_id is null`);
  const { rows } = await tx.query(sql`select from bulk_rows where ${ofBatch(org, batch_id, "ready")} limit 1`);
  return rows.length > 0;
}

/** A draft that was made from the template as it is now is sent; any other row begins anew. */
export async function putBackRows(tx: Tx, org: OrgId, batch_id: BatchId, keepsDrafts: boolean): Promise<void> {
  await tx.query(sql`
    update bulk_rows r set state = 'ready', errors = '[]', envelope_id = case when ${keepsDrafts} and exists (
        select from envelopes e where e.org_id = r.org_id and e.envelope_id = r.envelope_id and e.status in ('uploaded', 'preparing'))
      then r.envelope_id end
    where ${ofBatch(org, batch_id)} and state in ('failed', 'skipped', 'ready')`);
}

export async function eraseRows(tx: Tx, org: OrgId, batch_id: BatchId): Promise<void> {
  await tx.query(sql`
    update bulk_rows set data = null, errors = '[]', warnings = '[]', state = case when state = 'ready' then 'skipped' else state end
    where ${ofBatch(org, batch_id)}`);
}
