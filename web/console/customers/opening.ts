import { rowsOf } from "./csv.ts";
import { type CustomerField, customerFields } from "./fields.ts";

/** How a file begins, read in the browser: what somebody is about to upload. */
export interface Opening {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** what is better known before it is sent */
  readonly warnings: readonly string[];
}

export interface Column {
  readonly name: string;
  /** null: the service leaves the column out */
  readonly field: CustomerField | null;
}

// Far more than six rows of customers.
const OPENING_BYTES = 65_536;
const SHOWN_ROWS = 5;

export async function readOpening(file: Blob): Promise<Opening> {
  const bytes = await file.slice(0, OPENING_BYTES).arrayBuffer();
  const isCut = file.size > OPENING_BYTES;
  const text = new TextDecoder().decode(bytes, { stream: isCut });
  const [header = [], ...rows] = rowsOf(text, { isCut });
  const columns = header.map((cell) => {
    const name = cell.trim();
    return { name, field: customerFields.find((field) => field === name.toLowerCase()) ?? null };
  });
  const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ""));
  return { columns, rows: filled.slice(0, SHOWN_ROWS), warnings: warningsOf(columns, text) };
}

function warningsOf(columns: readonly Column[], text: string): string[] {
  const known = columns.map(({ field }) => field).filter((field) => field !== null);
  const warnings: string[] = [];
  if (known.length === 0) warnings.push("The first row names no column that the service knows. It will refuse the file.");
  else if (!known.includes("client_id")) warnings.push("There is no column client_id, so every row becomes a new customer.");
  for (const twice of new Set(known.filter((field, index) => known.indexOf(field) !== index))) {
    warnings.push(`Two columns are called ${twice}. The service will refuse the file.`);
  }
  if (text.includes("\ufffd")) warnings.push("Some characters are no UTF-8. Save the file as “CSV UTF-8”, or their rows will fail.");
  return warnings;
}
