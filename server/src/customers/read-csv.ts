import { setImmediate as nextTurn } from "node:timers/promises";
import { BrokenCsv, RowReader } from "@countersign/csv";

// What is parsed between two turns of the event loop, whatever the size of the source's chunks: a millisecond's work.
const PIECE_BYTES = 65_536;

/**
 * The rows of a file in portions, the header first. Nothing is read from the source until the portion before was taken, so a
 * source that can wait is never ahead of its reader. A blank line is a row with one empty cell: rows count as a spreadsheet
 * counts them. Throws BrokenCsv after the rows that precede the break, and what the source throws.
 */
export async function* readRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  const decoder = new TextDecoder("utf-8");
  const rows = new RowReader();
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
