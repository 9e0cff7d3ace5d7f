// node fuzz/proven.mjs --corpus <folder> [--limit N]
//
// Draws pages that the engine proves to be unchanged by cleaning all the same, as a test of the proof: PDFium has to show the same words and
// the same picture before and after. Tags stay, so that no page may differ but in its fields. Prints how many pages are proven, and every
// difference. Exit code: 1 if there is one.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { engine } from "../bench/harness.mjs";
import { corpusFiles } from "./inputs.mjs";
import { showEvery } from "./progress.mjs";

/** @typedef {{ page: number, kind: string, words: number, pixels: number }} Difference */
/** @typedef {{ pages: number, proven: number, annotated: number, annotatedProven: number, drawn: number, differences: Difference[] | null }} Judged */
/** @typedef {{ index: number, is: Judged | { refused: string } }} Answer */

// A file that hangs the parser or PDFium is skipped.
const HUNG_AFTER_MS = 60_000;
// PDFium needs longer to draw a page than the proof to read it.
const MOST_DRAWN = 20;

const { values } = parseArgs({ options: { corpus: { type: "string" }, limit: { type: "string" }, from: { type: "string" } } });
const folder = values.corpus ?? process.env.PDF_CORPUS_DIR;
if (folder === undefined) {
  console.error("Give a folder with --corpus.");
  process.exit(2);
}
const files = corpusFiles(folder).slice(0, Number(values.limit ?? Number.POSITIVE_INFINITY));
if (process.send === undefined) await main();
else await serve(Number(values.from));

async function main() {
  /** @type {Map<number, Answer["is"]>} */
  const answers = new Map();
  const stopShowing = showEvery(() => `${answers.size} of ${files.length} files`);
  while (answers.size < files.length) {
    const child = fork(fileURLToPath(import.meta.url), ["--corpus", String(folder), "--from", String(answers.size)], { silent: true });
    child.stdout?.resume();
    child.stderr?.resume();
    const end = () => child.kill("SIGKILL");
    let timer = setTimeout(end, HUNG_AFTER_MS);
    child.on("message", (/** @type {Answer} */ { index, is }) => {
      clearTimeout(timer);
      timer = setTimeout(end, HUNG_AFTER_MS);
      if (index < files.length) answers.set(index, is);
      if (answers.size === files.length) child.kill();
    });
    await once(child, "exit");
    clearTimeout(timer);
    if (answers.size < files.length) answers.set(answers.size, { refused: "hung or crashed" });
  }
  stopShowing();
  const judged = [...answers.values()].filter((is) => "pages" in is);
  const sum = (/** @type {(is: Judged) => number} */ of) => judged.reduce((total, is) => total + of(is), 0);
  console.log(`${files.length} files, ${files.length - judged.length} of them refused or hung`);
  console.log(`${sum(({ proven }) => proven)} of ${sum(({ pages }) => pages)} pages are proven`);
  console.log(`${sum(({ annotatedProven }) => annotatedProven)} of ${sum(({ annotated }) => annotated)} pages with fields or annotations`);
  console.log(`${sum(({ drawn }) => drawn)} proven pages drawn before and after, at most ${MOST_DRAWN} of a file`);
  let different = 0;
  for (const [index, is] of answers) {
    if (!("pages" in is) || is.differences?.length === 0) continue;
    different++;
    console.log(`${files[index]?.name}: ${is.differences === null ? "PDFium cannot show it" : JSON.stringify(is.differences)}`);
  }
  console.log(`${different} files differ`);
  process.exitCode = different === 0 ? 0 : 1;
}

/** @param {number} from */
async function serve(from) {
  const pdf = await engine("index.js");
  const { removeTagsAndFlatten } = await engine("remove-tags-and-flatten.js");
  const { expectedChanges } = await engine("sanitize/expected-changes.js");
  const { comparePages } = await engine("compare-pages.js");
  const { provenPages } = await engine("compare-look.js");
  const { displayedPage } = await engine("page-tree.js");
  for (const [index, { read }] of files.entries()) {
    if (index < from) continue;
    const is = await judge(new Uint8Array(read())).catch((error) => ({ refused: String(error) }));
    process.send?.({ index, is });
  }

  /** @param {Uint8Array} bytes @returns {Promise<Judged>} */
  async function judge(bytes) {
    const doc = await pdf.openPdf(bytes, pdf.createBudget());
    const expected = expectedChanges(doc);
    const clean = await pdf.sanitize(doc);
    const { hidden } = pdf.findAll(clean.doc, []);
    const final = await removeTagsAndFlatten(clean, [], hidden);
    const { proven } = provenPages(doc, final, expected);
    const isAnnotated = (/** @type {number} */ page) => expected.has(page);
    const annotated = [...proven].filter(isAnnotated);
    const drawn = [...annotated, ...[...proven].filter((page) => !isAnnotated(page))].slice(0, MOST_DRAWN);
    const displayed = final.doc.pages.map((/** @type {any} */ { dict }) => displayedPage(final.doc, dict));
    const pages = drawn.map((page) => ({ page, allowed: { words: [], pixels: expected.get(page)?.fields ?? [], expected: [] } }));
    const { comparable, differences } = await comparePages(doc.original, final.bytes, pages, displayed);
    return {
      pages: displayed.length,
      proven: proven.size,
      annotated: expected.size,
      annotatedProven: annotated.length,
      drawn: drawn.length,
      differences: comparable || drawn.length === 0 ? differences : null,
    };
  }
}
