// npm run compare -- --corpus <folder> [--limit N] [--out result.json] [--pictures <folder>]
// npm run compare -- before.json after.json
//
// Cleans every PDF of a folder like an upload and compares what PDFium reads and shows before and after: words lost and gained, pages that
// look different, fields that can still be filled in. Prints a table and writes every difference to a JSON file. With two such files,
// prints them side by side: the same corpus before and after a change of the engine.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createPdfPool } from "@countersign/pdf";
import { printSideBySide, printTable } from "./compare-table.mjs";
import { openComparer } from "./comparer.mjs";
import { corpusFiles } from "./inputs.mjs";
import { refusal } from "./judge.mjs";
import { showEvery } from "./progress.mjs";

/** @typedef {import("./compare-table.mjs").Row} Row */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { corpus: { type: "string" }, limit: { type: "string" }, out: { type: "string" }, pictures: { type: "string" } },
});
const [before, after] = positionals;
if (before !== undefined && after !== undefined) printSideBySide(readRows(before), readRows(after));
else await compareFolder(values.corpus ?? process.env.PDF_CORPUS_DIR);

/** @param {string} path @returns {Row[]} */
function readRows(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** @param {string | undefined} folder */
async function compareFolder(folder) {
  if (folder === undefined) {
    console.error("Give a folder with --corpus, or two result files.");
    process.exitCode = 2;
    return;
  }
  const out = values.out ?? join(tmpdir(), "countersign-compare.json");
  if (values.pictures !== undefined) mkdirSync(values.pictures, { recursive: true });
  const files = corpusFiles(folder).slice(0, Number(values.limit ?? Number.POSITIVE_INFINITY));
  const pool = createPdfPool({ workers: 1 });
  const comparer = openComparer();
  /** @type {Row[]} */
  const rows = [];
  const stopShowing = showEvery(() => `${rows.length} of ${files.length} files`);
  let isCutOff = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (isCutOff = true));
  for (const { name, read } of files) {
    if (isCutOff) break;
    rows.push({ name, ...(await compareFile(name, read())) });
  }
  stopShowing();
  writeFileSync(out, `${JSON.stringify(rows, null, 1)}\n`);
  printTable(rows);
  if (isCutOff) console.log(`Cut off after ${rows.length} of ${files.length} files.`);
  console.log(`Every difference: ${out}`);
  void pool.close();
  await comparer.close();

  /** @param {string} name @param {Uint8Array} bytes @returns {Promise<Omit<Row, "name">>} */
  async function compareFile(name, bytes) {
    const made = await pool.ingest(bytes, { tags: "document" }).catch(refusal);
    if ("outcome" in made) return { outcome: made.outcome, why: made.why };
    const pictures = values.pictures === undefined ? null : join(values.pictures, name.replaceAll("/", "-").replace(/\.pdf$/i, ""));
    const compared = await comparer.compare(bytes, made.bytes, pictures);
    const { warnings, page_warnings, removed } = made;
    if ("unread" in compared) return { outcome: "not compared", why: compared.unread, warnings, page_warnings, removed };
    return { outcome: "compared", ...compared, warnings, page_warnings, removed };
  }
}
