/**
 * CSV as spreadsheets write it (RFC 4180, and what they make of it): any line ends, `,` or `;`. Read here and not by a library: those that
 * know all of this take a thousand times longer over a file of blank or ragged lines, and every request waits for it.
 */

// Far above what all fields hold together. More without the end of a row is a quote that was never closed, and reading on would
// gather the rest of the file in memory.
const MAX_ROW_CHARACTERS = 262_144;

/** The file cannot be read any further; the rows before stand. */
export class BrokenCsv extends Error {}

/** before: nothing of the cell yet. plain: not quoted; a quote in it is data, as in 6" pipe. quoted: a quote ends it. closed: it did. */
type Where = "before" | "plain" | "quoted" | "closed";

/**
 * Reads the rows of a file that arrives in pieces: `take` each piece, and `given` returns the rows that have ended since the last call.
 * After the last piece call `end`. The header decides between `,` and `;`. A blank line is a row with one empty cell.
 */
export class RowReader {
  #separator: string | null = null;
  #opening = "";
  #rows: string[][] = [];
  #cells: string[] = [];
  #cell = "";
  #where: Where = "before";
  /** The last character was a carriage return, so a line feed belongs to it. */
  #afterReturn = false;
  #rowCharacters = 0;

  /** Rows that have ended since the last time. */
  given(): string[][] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Throws BrokenCsv when the row under way is longer than any row may be. */
  refuseEndless(): void {
    if (this.#rowCharacters + this.#opening.length > MAX_ROW_CHARACTERS) {
      const end = this.#where === "quoted" ? ": is a quote left open?" : ".";
      throw new BrokenCsv(`this row has more than ${MAX_ROW_CHARACTERS.toLocaleString("en")} characters${end} Nothing after it was read`);
    }
  }

  /** A byte order mark must be gone already: a TextDecoder removes it. */
  take(text: string): void {
    if (this.#separator !== null) {
      this.#read(text, this.#separator);
      return;
    }
    // The header says which separator it is.
    this.#opening += text;
    if (/[\r\n]/.test(withoutQuoted(this.#opening)) || this.#opening.length > MAX_ROW_CHARACTERS) this.#open();
  }

  #open(): void {
    const [hint = "", stated] = HINT.exec(this.#opening) ?? [];
    const opening = this.#opening.slice(hint.length);
    this.#opening = "";
    this.#afterReturn = hint.endsWith("\r");
    this.#separator = stated ?? separatorOf(opening);
    this.#read(opening, this.#separator);
  }

  /** What the end of the file tells: null, or that a quote is still open. */
  end(): BrokenCsv | null {
    if (this.#separator === null) this.#open();
    if (this.#where === "quoted") return new BrokenCsv("a quote in this row is never closed, so that nothing after it was read");
    if (this.#rowCharacters > 0) this.#endRow();
    return null;
  }

  #read(text: string, separator: string): void {
    // Where the run began that is copied as it is once something ends it.
    let from = 0;
    const copy = (to: number): void => {
      if (to > from) this.#cell += text.slice(from, to);
      from = to + 1;
    };
    for (let at = 0; at < text.length; at++) {
      const character = text[at] as string;
      if (this.#afterReturn) {
        this.#afterReturn = false;
        if (character === "\n") {
          from = at + 1;
          continue;
        }
      }
      this.#rowCharacters++;
      if (this.#where === "quoted") {
        if (character === '"') {
          copy(at);
          this.#where = "closed";
        }
      } else if (character === '"' && this.#where !== "plain") {
        // The second of two: one that is part of the cell.
        if (this.#where === "closed") this.#cell += '"';
        this.#where = "quoted";
        from = at + 1;
      } else if (character === separator) {
        copy(at);
        this.#endCell();
      } else if (character === "\n" || character === "\r") {
        copy(at);
        this.#endRow();
        this.#afterReturn = character === "\r";
      } else if (this.#where !== "plain") {
        // Behind a closing quote it can only be part of the cell.
        this.#where = "plain";
        from = at;
      }
    }
    copy(text.length);
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#where = "before";
  }

  #endRow(): void {
    this.#endCell();
    this.#rows.push(this.#cells);
    this.#cells = [];
    this.#rowCharacters = 0;
  }
}

/** A first line with which a file tells spreadsheets its separator. It is no row. */
const HINT = /^sep=([,;])(?:\r\n|\r|\n)/i;

/** Spreadsheets write `;` where the comma is the decimal sign. A column's name may hold either, so the one that is there more often is it. */
function separatorOf(opening: string): string {
  const header = withoutQuoted(opening).split(/[\r\n]/, 1)[0] ?? "";
  const count = (separator: string): number => header.split(separator).length;
  return count(";") > count(",") ? ";" : ",";
}

/** Without what stands in quotes: a separator or a line end there is part of a column's name. A quote that is still open holds the rest. */
const withoutQuoted = (header: string): string => header.replaceAll(/(^|[,;])"[^"]*(?:""[^"]*)*(?:"|$)/g, "$1");
