import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * CSV as spreadsheets write it (RFC 4180, and what they make of it): a byte order mark, any line ends, `,` or `;`. Read here and not by a
 * library: those that know all of this take a thousand times longer over a file of blank or ragged lines, and everybody waits for it.
 */

// What is parsed between two turns of the event loop, whatever the size of the source's chunks: a millisecond's work.
const PIECE_BYTES = 65_536;

// Far above what all fields hold together. More without the end of a row is a quote that was never closed, and reading on would
// gather the rest of the file in memory.
const MAX_ROW_CHARACTERS = 262_144;

/** The file cannot be read any further; what came before stands. */
export class BrokenCsv extends Error {}

/**
 * The rows of a file in portions, the header first. Nothing is read from the source until the portion before was taken, so a
 * source that can wait is never ahead of its reader. A blank line is a row with one empty cell: rows count as a spreadsheet
 * counts them. Throws BrokenCsv after the rows that precede the break, and what the source throws.
 */
export async function* readRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  const decoder = new TextDecoder("utf-8");
  const rows = new Rows();
  let isFirst = true;
  for await (const piece of inPieces(source)) {
    if (isFirst && isUtf16(piece)) throw new BrokenCsv("this file is UTF-16. Save it as CSV in UTF-8");
    isFirst = false;
    rows.take(decoder.decode(piece, { stream: true }));
    yield rows.given();
    rows.refuseEndless();
    await nextTurn();
  }
  rows.take(decoder.decode());
  const broken = rows.end();
  yield rows.given();
  if (broken !== null) throw broken;
}

/** As spreadsheets write it, with its mark in front. */
const isUtf16 = ([first, second]: Uint8Array): boolean => (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/** before: nothing of the cell yet. plain: not quoted; a quote in it is data, as in 6" pipe. quoted: a quote ends it. closed: it did. */
type Where = "before" | "plain" | "quoted" | "closed";

class Rows {
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

  refuseEndless(): void {
    if (this.#rowCharacters + this.#opening.length > MAX_ROW_CHARACTERS) {
      const end = this.#where === "quoted" ? ": is a quote left open?" : ".";
      throw new BrokenCsv(`this row has more than ${MAX_ROW_CHARACTERS.toLocaleString("en")} characters${end} Nothing after it was read`);
    }
  }

  take(text: string): void {
    if (this.#separator !== null) {
      this.#read(text, this.#separator);
      return;
    }
    // The header says which separator it is.
    this.#opening += text;
    if (/[\r\n]/.test(this.#opening) || this.#opening.length > MAX_ROW_CHARACTERS) this.#open();
  }

  #open(): void {
    const opening = this.#opening;
    this.#opening = "";
    this.#separator = separatorOf(opening);
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

/** Spreadsheets write `;` where the comma is the decimal sign. A column's name may hold either, so the one that is there more often is it. */
function separatorOf(opening: string): string {
  const header = opening.replaceAll(/"[^"]*("|$)/g, "").split(/[\r\n]/, 1)[0] ?? "";
  const count = (separator: string): number => header.split(separator).length;
  return count(";") > count(",") ? ";" : ",";
}
