/** Parses CSV as spreadsheets write it and as the server parses it: quotes, any line breaks, `,` or `;`. */

/** The rows of a text. If the text was truncated, the last row is dropped, because it may be incomplete. */
export function rowsOf(text: string, { isCut = false }: { readonly isCut?: boolean } = {}): readonly (readonly string[])[] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  // before: at the start of a cell. plain: unquoted; a quote in it is data, as in 6" pipe. closed: after the closing quote.
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
      // Two quotes in a row stand for one quote in the cell.
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

/** Spreadsheets write `;` in locales where the comma is the decimal separator. */
function separatorOf(text: string): string {
  const header = text.split(/[\r\n]/, 1)[0] ?? "";
  return header.includes(";") && !header.includes(",") ? ";" : ",";
}

// A spreadsheet treats a cell that starts like this as a formula and runs it.
const FORMULA = /^[=+\-@\t\r]/;

/** Writes rows as CSV for a spreadsheet. No cell is read as a formula. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  const written = (value: string | number | null) => {
    const text = String(value ?? "");
    return `"${(typeof value === "string" && FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  };
  return rows.map((cells) => `${cells.map(written).join(",")}\r\n`).join("");
}
