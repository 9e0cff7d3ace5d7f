import { type Detail, Problem } from "../shared/problems.ts";
import { type CustomerChange, type CustomerField, customerFields, faultOf } from "./customer.ts";

/** Converts a file's header and rows to customers. */

export interface RowError {
  /** numbered as in a spreadsheet; the header is row 1 */
  readonly row: number;
  /** null for the row as a whole */
  readonly column: string | null;
  readonly message: string;
}

/** The field of each column of the file; null for an ignored column. */
export type Header = readonly (CustomerField | null)[];

// Column names are part of the response, so they are shortened.
const MAX_SHOWN_NAME_LENGTH = 100;

/** The columns, and an error for each unknown name. Unknown columns are ignored; their rows are still imported. */
export function readHeader(cells: readonly string[]): { header: Header; errors: RowError[] } {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const header = names.map((name) => customerFields.find((field) => field === name) ?? null);
  const known = header.filter((field) => field !== null);
  if (known.length === 0)
    throw badHeader("required", `the first row must name the columns, such as ${customerFields.slice(0, 3).join(", ")}`);
  const twice = known.find((field, index) => known.indexOf(field) !== index);
  if (twice !== undefined) throw badHeader("duplicate", `two columns are called ${twice}`);
  const unknown = new Set(names.filter((_, index) => header[index] === null));
  const errors = [...unknown].map((name) => ({
    row: 1,
    column: name.slice(0, MAX_SHOWN_NAME_LENGTH),
    message: name === "" ? "a column without a name was left out" : "is not a field of a customer and was ignored",
  }));
  return { header, errors };
}

export function badHeader(code: Detail["code"], message: string): Problem {
  return new Problem("invalid_request", `header ${code}`, { details: [{ location: "form", field: "file", code, message }] });
}

export interface CustomerRow {
  readonly values: CustomerChange;
  readonly errors: readonly RowError[];
}

/** The values of a row, without empty cells. Null for a row without values, such as a blank line. */
export function readCustomer(header: Header, row: number, cells: readonly string[]): CustomerRow | null {
  const values: { [F in CustomerField]?: string } = {};
  const errors: RowError[] = [];
  for (const [index, cell] of cells.entries()) {
    const text = cell.trim();
    const field = header[index];
    if (text === "" || field === null) continue;
    if (field === undefined) {
      errors.push({ row, column: null, message: "has more cells than the header has columns" });
      break;
    }
    values[field] = text;
    const fault = faultOf(field, text);
    if (fault !== null) errors.push({ row, column: field, message: fault.message });
  }
  return errors.length === 0 && Object.keys(values).length === 0 ? null : { values, errors };
}
