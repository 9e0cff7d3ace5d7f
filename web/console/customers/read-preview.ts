import { rowsOf } from "@countersign/csv";
import { en } from "../words/customer-upload/en.ts";
import { type CustomerField, customerFields } from "./fields.ts";

const words = en.preview;

/** The first rows of a file, read in the browser before the upload. */
export interface FilePreview {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** problems that the user should know before the upload */
  readonly warnings: readonly string[];
}

export interface Column {
  readonly name: string;
  /** null: the server ignores the column */
  readonly field: CustomerField | null;
}

// Far more than the header and five rows.
const PREVIEW_BYTES = 65_536;
const SHOWN_ROWS = 5;

export async function readPreview(file: Blob): Promise<FilePreview> {
  const bytes = await file.slice(0, PREVIEW_BYTES).arrayBuffer();
  const isCut = file.size > PREVIEW_BYTES;
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
  if (known.length === 0) warnings.push(words.noColumn);
  else if (!known.includes("client_id")) warnings.push(words.noClientId);
  for (const duplicate of new Set(known.filter((field, index) => known.indexOf(field) !== index))) {
    warnings.push(words.twice(duplicate));
  }
  if (text.includes("\ufffd")) warnings.push(words.notUtf8);
  return warnings;
}
