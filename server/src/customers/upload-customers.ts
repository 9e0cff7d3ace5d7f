import { BrokenCsv } from "@countersign/csv";
import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import { newId } from "../shared/ids.ts";
import { badHeader, type Header, type RowError, readCustomer, readHeader } from "./csv-customer.ts";
import { type CustomerChange, type CustomerDeps, clientKey } from "./customer.ts";
import { readRows } from "./read-rows.ts";
import { type UploadedCustomer, upsertCustomers } from "./store.ts";

/** The result of an upload. `rows` is the sum of the other three counts; a row that changed nothing counts as updated. */
export interface Upload {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  /** the first errors only; `failed` counts every failed row */
  readonly errors: readonly RowError[];
}

// Rows per transaction. Larger batches are hardly faster; smaller ones spend more time on round trips and commits. At most this many
// rows are lost if the client disconnects.
const BATCH_ROWS = 500;

// Enough to see what is wrong with a file, without making the response as large as the file.
const MAX_ERRORS = 1000;

interface Progress {
  rows: number;
  created: number;
  failed: number;
  readonly errors: RowError[];
  /** valid rows that have not been written yet */
  waiting: CustomerChange[];
}

/**
 * Imports a file of customers. A row with a known client_id updates that customer (an empty cell keeps the value); any other row
 * creates a customer. Rows with errors are reported, and the others are imported. Each batch of rows is one transaction, and the next
 * one is read after it, so committed rows stay if the source fails, and memory does not grow with the file. The audit chain gets one
 * entry for the whole file.
 */
export async function uploadCustomers(deps: CustomerDeps, caller: Caller, csv: AsyncIterable<Uint8Array>): Promise<Upload> {
  const progress: Progress = { rows: 0, created: 0, failed: 0, errors: [], waiting: [] };
  try {
    await takeRows(deps, caller, csv, progress);
  } catch (error) {
    // Rows that were written stay written if the source fails. The others are not part of the audit entry.
    progress.rows -= progress.waiting.length;
    if (progress.rows > 0) await deps.db.tx(caller.org, (tx) => record(tx, caller, outcomeOf(progress)));
    throw error;
  }
  return deps.db.tx(caller.org, async (tx) => {
    const created = await writeBatch(tx, caller, progress.waiting);
    const upload = outcomeOf({ ...progress, created: progress.created + created });
    await record(tx, caller, upload);
    return upload;
  });
}

async function takeRows(deps: CustomerDeps, caller: Caller, csv: AsyncIterable<Uint8Array>, progress: Progress): Promise<void> {
  let header: Header | null = null;
  let row = 0;
  try {
    for await (const portion of readRows(csv)) {
      for (const cells of portion) {
        row += 1;
        if (header === null) header = takeHeader(cells, progress);
        else takeRow(header, row, cells, progress);
        if (progress.waiting.length >= BATCH_ROWS) await commitBatch(deps, caller, progress);
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    if (header === null) throw badHeader("invalid_format", `the first row must name the columns: ${error.message}`);
    fail(progress, [{ row: row + 1, column: null, message: error.message }]);
  }
  if (header === null) takeHeader([], progress);
}

function takeHeader(cells: readonly string[], progress: Progress): Header {
  const { header, errors } = readHeader(cells);
  report(progress, errors);
  return header;
}

function takeRow(header: Header, row: number, cells: readonly string[], progress: Progress): void {
  const read = readCustomer(header, row, cells);
  if (read === null) return;
  if (read.errors.length > 0) {
    fail(progress, read.errors);
    return;
  }
  progress.rows += 1;
  progress.waiting.push(read.values);
}

function fail(progress: Progress, errors: readonly RowError[]): void {
  progress.rows += 1;
  progress.failed += 1;
  report(progress, errors);
}

function report(progress: Progress, errors: readonly RowError[]): void {
  progress.errors.push(...errors.slice(0, MAX_ERRORS - progress.errors.length));
}

async function commitBatch(deps: CustomerDeps, caller: Caller, progress: Progress): Promise<void> {
  progress.created += await deps.db.tx(caller.org, (tx) => writeBatch(tx, caller, progress.waiting));
  progress.waiting = [];
}

async function writeBatch(tx: Tx, caller: Caller, rows: readonly CustomerChange[]): Promise<number> {
  return rows.length === 0 ? 0 : upsertCustomers(tx, caller.org, merged(rows, tx.now));
}

/** Merges rows with the same client_id, later values over earlier ones, with the same result as two updates in a row. */
function merged(rows: readonly CustomerChange[], now: Date): UploadedCustomer[] {
  const unnamed: (readonly [null, CustomerChange])[] = [];
  const byClient = new Map<string, CustomerChange>();
  for (const row of rows) {
    const key = typeof row.client_id === "string" ? clientKey(row.client_id) : null;
    if (key === null) unnamed.push([key, row]);
    else byClient.set(key, { ...byClient.get(key), ...row });
  }
  return [...unnamed, ...byClient].map(([client_key, values]) => ({ customer_id: newId("customer", now.getTime()), client_key, values }));
}

function outcomeOf({ rows, created, failed, errors }: Progress): Upload {
  return { rows, created, updated: rows - created - failed, failed, errors };
}

async function record(tx: Tx, caller: Caller, { rows, created, updated, failed }: Upload): Promise<void> {
  await appendAudit(tx, caller.org, { type: "customers.uploaded", by: caller, data: { rows, created, updated, failed } });
}
