/** CSV as spreadsheets write it, read as the service reads it: quotes, any line ends, `,` or `;`. */

/** The rows of a text. Of one that was cut off, the last row is not told, since it may be half a row. */
export function rowsOf(text: string, { isCut = false }: { readonly isCut?: boolean } = {}): readonly (readonly string[])[] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  // before: nothing of the cell yet. plain: not quoted; a quote in it is data, as in 6" pipe. closed: behind the quote that ended it.
  let where: "before" | "plain" | "quoted" | "closed" = "before";
  const endCell = () => {
    cells.push(cell);
    cell = "";
    where = "before";
  };
  const endRow = () => {
    endCell();
    rows.push(cells);
    cells = [];
  };
  for (const character of text.replaceAll(/\r\n?/g, "\n")) {
    if (where === "quoted") {
      if (character === '"') where = "closed";
      else cell += character;
    } else if (character === '"' && where !== "plain") {
      // The second of two is one that is part of the cell.
      if (where === "closed") cell += '"';
      where = "quoted";
    } else if (character === separator) endCell();
    else if (character === "\n") endRow();
    else {
      where = "plain";
      cell += character;
    }
  }
  if (!isCut && (cells.length > 0 || cell !== "" || where !== "before")) endRow();
  return rows;
}

/** Spreadsheets write `;` where the comma is the decimal sign. */
function separatorOf(text: string): string {
  const header = text.split(/[\r\n]/, 1)[0] ?? "";
  return header.includes(";") && !header.includes(",") ? ";" : ",";
}

// A spreadsheet takes what begins so for a formula, and runs it.
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as a file for a spreadsheet, in which no cell is a formula. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  const written = (value: string | number | null) => {
    const text = String(value ?? "");
    return `"${(typeof value === "string" && FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  };
  return rows.map((cells) => `${cells.map(written).join(",")}\r\n`).join("");
}
