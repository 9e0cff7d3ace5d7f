import { checkRequest, type Material } from "../envelopes/check-request.ts";
import type { Detail } from "../shared/problems.ts";
import { keyFields } from "../templates/key-fields.ts";
import type { RowFault } from "./batch.ts";
import { type RowContext, readRow } from "./read-row.ts";

export interface CheckedRow {
  readonly errors: readonly RowFault[];
  /** the same for rows with the same people and values */
  readonly identity: string;
}

/** Everything that would keep this row from being sent, with the column where it has to be corrected. */
export function checkRow(context: RowContext, material: Material, cells: readonly string[]): CheckedRow {
  const { request, values } = readRow(context, cells);
  const identity = JSON.stringify([request.recipients?.map(({ email }) => email.toLowerCase()), values]);
  if (cells.slice(context.columns.length).some((cell) => cell.trim() !== "")) {
    const message = "The row has more cells than the header has columns. Put text with commas in quotes";
    return { identity, errors: [{ column: null, code: "invalid_format", message }] };
  }
  const errors = checkRequest(request, values, material).flatMap((detail): RowFault[] => {
    const column = columnOf(context, material, detail.field);
    return column === undefined ? [] : [{ column, code: detail.code, message: detail.message }];
  });
  return { identity, errors: errors.filter((one, index) => errors.findIndex((other) => other.column === one.column) === index) };
}

/** `recipients[0].email` is a cell of the first role. Undefined for a member that repeats another: the customer is the first person. */
export function columnOf({ places }: Pick<RowContext, "places">, { fields }: Pick<Material, "fields">, field: Detail["field"]) {
  if (field === null || field === "recipients") return null;
  if (field.startsWith("customer_")) return undefined;
  const [, index, part] = /^recipients\[(\d+)\]\.(\w+)$/.exec(field) ?? [];
  if (index !== undefined) {
    const role = places[Number(index)]?.role ?? null;
    return role === null ? null : `${role}.${part}`;
  }
  if (field.startsWith("tags")) return "tags";
  if (!field.startsWith("prefilled_data.")) return field;
  const named = field.slice("prefilled_data.".length);
  const keyed = keyFields(fields, []);
  const found = keyed.find(({ field_key }) => field_key === named) ?? keyed.find(({ name }) => name === named);
  return `field.${found?.field_key ?? named}`;
}
