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
