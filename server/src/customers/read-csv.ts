import { CsvError, type Parser, parse } from "csv-parse";

/** CSV as spreadsheets write it (RFC 4180, and what they make of it): a byte order mark, any line ends, `,` or `;`. */

// What is parsed before its rows are handed on, whatever the size of the source's chunks: about a hundred rows.
const PIECE_BYTES = 65_536;

// Far above what all fields hold together. More without the end of a row is a quote that was never closed, and reading on would
// gather the rest of the file in memory.
const MAX_ROW_BYTES = 262_144;

/** The file cannot be read any further; what came before stands. */
export class BrokenCsv extends Error {}

/**
 * The rows of a file in portions, the header first. Nothing is read from the source until the portion before was taken, so a
 * source that can wait is never ahead of its reader. A blank line is a row with one empty cell: rows count as a spreadsheet
 * counts them. Throws BrokenCsv after the rows that precede the break, and what the source throws.
 */
export async function* readRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  const pieces = inPieces(source);
  const opening = await readOpening(pieces);
  let rows: string[][] = [];
  let unfinishedBytes = 0;
  const parser = parse({
    bom: true,
    delimiter: separatorOf(opening),
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    // A quote in the middle of a cell is part of it, as in 6" pipe.
    relax_quotes: true,
    on_record: (cells: string[]) => {
      rows.push(cells);
      unfinishedBytes = 0;
      return null;
    },
  });
  // Every write tells of its own failure.
  parser.on("error", () => undefined);
  const taken = () => {
    const portion = rows;
    rows = [];
    return portion;
  };
  for await (const piece of followed(opening, pieces)) {
    unfinishedBytes += piece.length;
    await written(parser, piece);
    yield taken();
    if (unfinishedBytes > MAX_ROW_BYTES) throw new BrokenCsv("this row does not end: is a quote left open? Nothing after it was read");
  }
  const broken = await ended(parser);
  yield taken();
  if (broken !== null) throw broken;
}

async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/** At least the header's line, unless there is no end of it. */
async function readOpening(pieces: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  let opening = Buffer.alloc(0);
  while (!hasLineEnd(opening) && opening.length <= MAX_ROW_BYTES) {
    const next = await pieces.next();
    if (next.done === true) break;
    opening = Buffer.concat([opening, next.value]);
  }
  return opening;
}

const hasLineEnd = (bytes: Buffer) => bytes.includes("\n") || bytes.includes("\r");

/** Spreadsheets write `;` where the comma is the decimal sign. No name of a field holds either. */
function separatorOf(opening: Buffer): string {
  const header = opening.toString("utf8").split(/[\r\n]/, 1)[0] ?? "";
  return header.includes(";") && !header.includes(",") ? ";" : ",";
}

async function* followed(opening: Buffer, pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield opening;
  yield* pieces;
}

function written(parser: Parser, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => parser.write(piece, (error) => (error ? reject(error) : resolve())));
}

/** What the end of the file tells: the only fault that relaxed rules leave is a quote that is still open. */
function ended(parser: Parser): Promise<BrokenCsv | null> {
  return new Promise((resolve, reject) =>
    parser.end((error?: Error | null) => {
      if (error instanceof CsvError) resolve(new BrokenCsv("a quote in this row is never closed", { cause: error }));
      else if (error) reject(error);
      else resolve(null);
    }),
  );
}
