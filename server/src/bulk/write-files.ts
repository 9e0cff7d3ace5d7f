import { writeCsv } from "@countersign/csv";
import { fieldTypes } from "@countersign/fields";
import type { FileAnswer, StreamAnswer } from "../http/endpoint.ts";
import type { Caller } from "../shared/caller.ts";
import type { BatchId, TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Field } from "../signing/field.ts";
import { findFields, findTemplate } from "../templates/store.ts";
import type { BulkDeps, Row, RowState } from "./batch.ts";
import { type Column, columnsFor } from "./read-header.ts";
import { listRowsAfter } from "./row-store.ts";
import { findBatch } from "./store.ts";

// One transaction each, so that a slow reader holds no connection.
const ROWS_AT_ONCE = 1_000;

/** Rows as they were uploaded, with a column that says what is wrong: to be corrected and uploaded again. */
async function writeRows(
  { db }: Pick<BulkDeps, "db">,
  { org }: Caller,
  batch_id: BatchId,
  state: RowState | undefined,
): Promise<StreamAnswer> {
  const { columns, erased_at } = await db.tx(org, (tx) => findBatch(tx, org, batch_id));
  if (erased_at !== null) throw new Problem("batch_rows_erased");
  // A file that was corrected and uploaded again has the column already.
  const old = columns.findIndex((name) => name.trim().toLowerCase() === "errors");
  const without = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => index !== old);
  async function* pieces(): AsyncGenerator<string> {
    yield writeCsv([[...without(columns), "errors"]]);
    for (let after = 0; ; ) {
      const rows = await db.tx(org, (tx) => listRowsAfter(tx, org, batch_id, { state, after, limit: ROWS_AT_ONCE }));
      if (rows.length > 0) yield writeCsv(rows.map((row) => [...without(padded(row.data ?? [], columns.length)), sentencesOf(row)]));
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_AT_ONCE) return;
      after = last.row_no;
    }
  }
  return { type: "text/csv; charset=utf-8", file_name: `${batch_id}.csv`, pieces: pieces() };
}

const padded = (cells: readonly string[], length: number): string[] => Array.from({ length }, (_, index) => cells[index] ?? "");

const sentencesOf = ({ errors }: Row): string =>
  errors.map(({ column, message }) => (column === null ? message : `${column} ${message}`)).join("; ");

/** The header that a file for this template has, with one row as an example. */
async function writeExample({ db }: Pick<BulkDeps, "db">, { org }: Caller, template_id: TemplateId): Promise<FileAnswer> {
  const source = await db.tx(org, async (tx) => ({
    template: await findTemplate(tx, org, template_id),
    fields: await findFields(tx, org, template_id),
  }));
  const { name } = source.template;
  const columns = columnsFor(source);
  const rows = [columns.map((column) => column.name), columns.map(({ column }, index) => exampleOf(column, index, name))];
  return { type: "text/csv; charset=utf-8", bytes: Buffer.from(writeCsv(rows)), file_name: "bulk.csv" };
}

/** Each person has another address, because the people of an envelope must differ. */
function exampleOf(column: Column, index: number, name: string): string {
  if (column.kind === "envelope_name") return name;
  if (column.kind === "person") {
    // The template names the person.
    if (!column.isRequired && column.part !== "locale") return "";
    return { name: `Example ${column.role}`, email: `person${index}@example.com`, locale: "en" }[column.part];
  }
  return column.kind === "field" ? exampleValue(column.field) : "";
}

/** What can be left out is left empty. */
function exampleValue({ type, options, settings, default_value }: Field): string {
  if (default_value !== null) return default_value;
  const { control } = fieldTypes[type];
  if (control === "checkbox") return "false";
  if (options !== null) return options[0] ?? "";
  if (control === "date") return settings.earliest ?? "2026-01-31";
  if (type === "number") return settings.min ?? "1";
  return control === "shown" ? "Text" : "";
}

export const writeFiles = { rows: writeRows, example: writeExample };
