import { setImmediate as nextTurn } from "node:timers/promises";
import { BrokenCsv, RowReader } from "@countersign/csv";

// How much is parsed in one turn of the event loop, whatever the size of the source's chunks. It takes about a millisecond.
const PIECE_BYTES = 65_536;

/**
 * The rows of a file in portions, the header first. The source is only read further when the previous portion was consumed, so it is
 * never ahead of its reader. A blank line is a row with one empty cell, so that rows are numbered as in a spreadsheet. Throws BrokenCsv
 * after the rows before the error, and rethrows errors of the source.
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

/** UTF-16 as written by spreadsheets, with a byte order mark. */
const isUtf16 = ([first, second]: Uint8Array): boolean => (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}
