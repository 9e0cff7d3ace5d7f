import { setImmediate as nextTurn } from "node:timers/promises";
import { BrokenCsv, RowReader } from "@countersign/csv";
import type { Material } from "../envelopes/check-request.ts";
import type { Jobs } from "../jobs/catalogue.ts";
import type { BatchId, OrgId } from "../shared/ids.ts";
import { listDocuments } from "../templates/document-store.ts";
import { findFields, findTemplate } from "../templates/store.ts";
import { type Batch, type BulkDeps, type FileProblem, fingerprintOf, MAX_ROWS } from "./batch.ts";
import { checkRow } from "./check-row.ts";
import { placesOf, readHeader } from "./read-header.ts";
import type { RowContext } from "./read-row.ts";
import { listRowsAfter, type NewRow, saveRows } from "./row-store.ts";
import { deleteFile, findBatch, findMinIdentityLevel, lockBatch, lookUpFile, setChecked, setRefused } from "./store.ts";

// Takes a few milliseconds, for which requests wait.
const ROWS_IN_A_TURN = 20;
// One transaction each.
const ROWS_AT_ONCE = 500;
const PIECE_CHARACTERS = 65_536;

const KBA: FileProblem = {
  column: null,
  message: "The template requires identity questions, which are different for each person. Turn them off in the template",
};

// A code by e-mail is all that rows can ask for.
const ROW_LEVEL = 1;
const TOO_LOW: FileProblem = {
  column: null,
  message:
    "Your organization demands identity level 2. That needs an access code or identity questions, which are different for each person. Send these envelopes one by one",
};

/** A row of the file, or a row from before that was sent and is only compared with. */
interface FileRow {
  readonly row_no: number;
  readonly cells: readonly string[];
  readonly isSent: boolean;
}

interface Table {
  readonly header: readonly string[];
  readonly rows: readonly FileRow[];
}

/**
 * Checks every row that was not sent yet against the template as it is now, and writes the result. Does nothing unless the batch is being
 * checked. A second run after a crash writes the same results again.
 */
export async function checkBatch({ db }: Pick<BulkDeps, "db">, { org_id: org, batch_id }: Jobs["bulk.check"]): Promise<void> {
  const read = await db.tx(org, async (tx) => {
    const batch = await findBatch(tx, org, batch_id);
    if (batch.state !== "checking") return null;
    const template = await findTemplate(tx, org, batch.template_id);
    const fields = await findFields(tx, org, batch.template_id);
    const documents = await listDocuments(tx, org, batch.template_id);
    const level = await findMinIdentityLevel(tx, org);
    return { batch, template, documents, fields, level, file: await lookUpFile(tx, org, batch_id) };
  });
  if (read === null) return;
  const { batch, template, documents, fields, level, file } = read;
  const table = file === null ? await readBack({ db }, org, batch) : await readTable(file);
  if ("problems" in table) return refuse({ db }, org, batch_id, [], table.problems);
  if (template.defaults.kba_required === true) return refuse({ db }, org, batch_id, table.header, [KBA]);
  if (level > ROW_LEVEL) return refuse({ db }, org, batch_id, table.header, [TOO_LOW]);
  const { columns, problems } = readHeader(table.header, { template, fields });
  if (problems.length > 0) return refuse({ db }, org, batch_id, table.header, problems);
  const context: RowContext = { template, places: placesOf({ template, fields }), columns, options: batch.options };
  const checked = await checkRows(context, { documents, fields }, table.rows);
  for (let at = 0; at < checked.length; at += ROWS_AT_ONCE) {
    const isWanted = await ifChecking({ db }, org, batch_id, (tx) => saveRows(tx, org, batch_id, checked.slice(at, at + ROWS_AT_ONCE)));
    if (!isWanted) return;
  }
  await ifChecking({ db }, org, batch_id, async (tx) => {
    await setChecked(tx, org, batch_id, table.header, fingerprintOf({ template, documents, fields }));
    await deleteFile(tx, org, batch_id);
  });
}

/** False if the batch was cancelled in the meantime, or another run has finished the check. */
function ifChecking(
  { db }: Pick<BulkDeps, "db">,
  org: OrgId,
  batch_id: BatchId,
  run: (tx: Parameters<Parameters<BulkDeps["db"]["tx"]>[1]>[0]) => Promise<void>,
): Promise<boolean> {
  return db.tx(org, async (tx) => {
    const { state } = await lockBatch(tx, org, batch_id);
    if (state === "checking") await run(tx);
    return state === "checking";
  });
}

async function refuse(
  deps: Pick<BulkDeps, "db">,
  org: OrgId,
  batch_id: BatchId,
  header: readonly string[],
  problems: readonly FileProblem[],
): Promise<void> {
  await ifChecking(deps, org, batch_id, async (tx) => {
    await setRefused(tx, org, batch_id, header, problems);
    await deleteFile(tx, org, batch_id);
  });
}

type Unreadable = { readonly problems: readonly FileProblem[] };

/** The rows of the file without blank ones, in turns. */
async function readTable(file: Uint8Array): Promise<Table | Unreadable> {
  const unreadable = (message: string): Unreadable => ({ problems: [{ column: null, message }] });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return unreadable("The file is not in UTF-8. Save it as CSV UTF-8");
  }
  // A cell cannot be stored with it, and no text contains it.
  if (text.includes("\0")) return unreadable("The file contains a NUL character. Save it as CSV UTF-8");
  const reader = new RowReader();
  const lines: string[][] = [];
  const broken = (error: unknown): Unreadable => {
    if (!(error instanceof BrokenCsv)) throw error;
    return unreadable(`Row ${lines.length + 1} cannot be read: ${error.message}`);
  };
  try {
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      reader.take(text.slice(at, at + PIECE_CHARACTERS));
      lines.push(...reader.given());
      reader.refuseEndless();
      if (lines.length > 2 * MAX_ROWS + 1) break;
      await nextTurn();
    }
    const fault = reader.end();
    lines.push(...reader.given());
    if (fault !== null) return broken(fault);
  } catch (error) {
    return broken(error);
  }
  const [header = [], ...others] = lines;
  const rows = others
    .map((cells, index) => ({ row_no: index + 2, cells, isSent: false }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  if (header.every((cell) => cell.trim() === "")) return unreadable("The first row must name the columns");
  if (rows.length === 0) return unreadable("The file has no rows after the header");
  if (rows.length > MAX_ROWS)
    return unreadable(`The file has more than ${MAX_ROWS.toLocaleString("en")} rows. Split it into several files`);
  return { header: header.map((cell) => cell.trim()), rows };
}

/** Rows of an earlier check. */
async function readBack({ db }: Pick<BulkDeps, "db">, org: OrgId, { batch_id, columns }: Batch): Promise<Table> {
  const rows: FileRow[] = [];
  for (let after = 0; ; ) {
    const some = await db.tx(org, (tx) => listRowsAfter(tx, org, batch_id, { after, limit: ROWS_AT_ONCE }));
    for (const { row_no, data, state } of some) rows.push({ row_no, cells: data ?? [], isSent: state === "sent" });
    const last = some.at(-1);
    if (last === undefined || some.length < ROWS_AT_ONCE) return { header: columns, rows };
    after = last.row_no;
  }
}

/** Rows with the same people and values are probably a mistake, and possibly not: they get a warning. */
async function checkRows(context: RowContext, material: Material, rows: readonly FileRow[]): Promise<NewRow[]> {
  const first = new Map<string, number>();
  const checked: NewRow[] = [];
  for (const [index, { row_no, cells, isSent }] of rows.entries()) {
    if (index % ROWS_IN_A_TURN === 0) await nextTurn();
    const { errors, identity } = checkRow(context, material, cells);
    const same = first.get(identity);
    if (same === undefined) first.set(identity, row_no);
    if (isSent) continue;
    const message = `has the same people and values as row ${same}`;
    const warnings = same === undefined || errors.length > 0 ? [] : [{ column: null, code: "duplicate" as const, message }];
    checked.push({ row_no, state: errors.length > 0 ? "invalid" : "ready", data: cells, errors, warnings });
  }
  return checked;
}
