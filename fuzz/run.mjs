// npm run fuzz -- --corpus <folder> [--limit N]                  every PDF in the folder and its subfolders
// npm run fuzz -- --mutate N --seed S [--corpus <folder>]        N damaged files, made from the fixtures and the folder
//
// Each file is processed like an upload, its first page is rendered, and our output is processed again. Then a value is stamped on it and
// the result is marked as a copy, which must be readable too. Rejecting a file is fine; hanging past the deadline, crashing, or damaging
// a file that PDFium can show is not: then the exit code is 1 and the files are in fuzz/results/.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { COPY_MARK } from "@countersign/evidence";
import { createPdfPool, NotAPdf, StampFault, UnreadablePdf } from "@countersign/pdf";
import { corpusFiles, mutatedFiles } from "./inputs.mjs";

const results = fileURLToPath(new URL("results/", import.meta.url));

const WIDTH_PX = /** @type {const} */ (1224);
const DEADLINE_MS = 30_000;
// Starting and ending a thread adds to the deadline.
const HUNG_AFTER_MS = DEADLINE_MS + 5_000;
const PROGRESS_MS = 1_000;

/** @typedef {{ outcome: "opened", note?: string | undefined, why?: undefined }} Opened */
/** @typedef {{ outcome: "refused" | "hung" | "crashed" | "worsened", why: string, note?: undefined }} Fault */
/** @typedef {{ key: string }} Turn whose turn a job of the pool takes */

/** @type {import("@countersign/pdf").Mark} */
const STAMP = {
  kind: "text",
  field: "Note",
  signer: "sig_1",
  areas: [{ page: 1, x: 0.1, y: 0.1, w: 0.5, h: 0.2 }],
  value: "Read and agreed",
};
const COPY = { band: COPY_MARK, diagonal: "COPY" };

const { values } = parseArgs({
  options: { corpus: { type: "string" }, limit: { type: "string" }, mutate: { type: "string" }, seed: { type: "string" } },
});
const folder = values.corpus ?? process.env.PDF_CORPUS_DIR;
if (folder === undefined && values.mutate === undefined) fail("Give a folder with --corpus, or a number with --mutate.");
if (folder !== undefined && !existsSync(folder)) fail(`The folder ${folder} does not exist.`);

const seed = values.seed ?? String(Date.now());
const corpus = folder === undefined ? [] : corpusFiles(folder).slice(0, Number(values.limit ?? Number.POSITIVE_INFINITY));
const files = values.mutate === undefined ? corpus : await mutatedFiles(Number(values.mutate), seed, corpus);
if (values.mutate !== undefined) console.log(`seed ${seed}`);

const pool = createPdfPool({ deadline_ms: DEADLINE_MS });
const began = performance.now();
/** @type {({ index: number, name: string, bytes: Uint8Array, ms: number } & (Opened | Fault))[]} */
const verdicts = [];
const remaining = files.entries();
const progress = setInterval(showProgress, PROGRESS_MS);
// As many files at once as there are threads: a file that waits for a thread would seem to hang. Two callers, so that turns are
// exercised.
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, (_, n) => work({ key: String(n % 2) })));
clearInterval(progress);
showProgress();
const { kills } = pool.stats();
await pool.close();
report();

/** @param {Turn} turn */
async function work(turn) {
  for (const [index, { name, read }] of remaining) {
    const bytes = read();
    const from = performance.now();
    const verdict = await judge(bytes, turn);
    verdicts.push({ index, name, bytes, ms: performance.now() - from, ...verdict });
  }
}

/** The outcome for the file and the reason. @param {Uint8Array} bytes @param {Turn} turn @returns {Promise<Opened | Fault>} */
async function judge(bytes, turn) {
  const taken = await within(() => pool.ingest(bytes, { tags: "document" }, turn));
  if (taken.value === undefined) return taken;
  const { bytes: made } = taken.value;
  const page = { page: 1, width_px: WIDTH_PX };
  const shown = await within(() => pool.page(made, page, turn));
  if (shown.outcome === "hung" || shown.outcome === "crashed") return shown;
  if (shown.value === undefined) {
    const before = await within(() => pool.page(bytes, page, turn));
    if (before.value === undefined) return { outcome: "opened", note: `page 1 not rendered: ${shown.why}` };
    return { outcome: "worsened", why: `PDFium shows the original, but not our output: ${shown.why}` };
  }
  const again = await within(() => pool.ingest(made, { tags: "document" }, turn));
  if (again.outcome === "refused") return { outcome: "worsened", why: `our own output is rejected: ${again.why}` };
  if (again.value === undefined) return again;
  const marked = await judgeMarks(made, turn);
  if (marked.outcome !== "opened") return marked;
  if (inked(shown.value)) return marked;
  const before = await within(() => pool.page(bytes, page, turn));
  return { outcome: "opened", note: before.value !== undefined && inked(before.value) ? "page 1 became blank" : marked.note };
}

/**
 * Stamps a value on page 1, then marks the result as a copy. Both results must be readable.
 * @param {Uint8Array} made @param {Turn} turn
 * @returns {Promise<Opened | Fault>}
 */
async function judgeMarks(made, turn) {
  const stamped = await within(() => pool.finish(made, { marks: [STAMP] }, turn));
  if (stamped.outcome === "refused" && stamped.why !== "does_not_fit")
    return { outcome: "worsened", why: `cannot be stamped: ${stamped.why}` };
  if (stamped.outcome === "hung" || stamped.outcome === "crashed") return stamped;
  const note = stamped.outcome === "refused" ? "page too small to stamp" : undefined;
  const copy = await within(() => pool.copy(stamped.value?.bytes ?? made, COPY, turn));
  if (copy.outcome === "refused") return { outcome: "worsened", why: `cannot be copied: ${copy.why}` };
  if (copy.value === undefined) return copy;
  const again = await within(() => pool.ingest(copy.value.bytes, { tags: "document" }, turn));
  if (again.outcome === "refused") return { outcome: "worsened", why: `our own copy is rejected: ${again.why}` };
  if (again.value === undefined) return again;
  const shown = await within(() => pool.page(copy.value.bytes, { page: 1, width_px: WIDTH_PX }, turn));
  if (shown.outcome === "refused") return { outcome: "worsened", why: `our own copy cannot be rendered: ${shown.why}` };
  return shown.value === undefined ? shown : { outcome: "opened", note };
}

/**
 * @template T
 * @param {() => Promise<T>} job
 * @returns {Promise<{ outcome: "opened", value: T, why?: undefined } | (Fault & { value?: undefined })>}
 */
async function within(job) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<Fault>} */
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ outcome: "hung", why: `no answer after ${HUNG_AFTER_MS / 1000} s` }), HUNG_AFTER_MS);
  });
  try {
    return await Promise.race([job().then((value) => ({ outcome: /** @type {const} */ ("opened"), value })), late]);
  } catch (error) {
    return refusal(error);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {unknown} error @returns {Fault} */
function refusal(error) {
  if (error instanceof NotAPdf) return { outcome: "refused", why: "not_a_pdf" };
  if (error instanceof StampFault) return { outcome: "refused", why: error.fault };
  if (error instanceof RangeError) return { outcome: "refused", why: "no such page" };
  if (!(error instanceof UnreadablePdf)) return { outcome: "crashed", why: String(error) };
  // The pool reports this for any unexpected error in a thread: harmless to the caller, but still a bug of ours.
  if (error.message === "a worker failed on the file")
    return { outcome: "crashed", why: `${error.cause instanceof Error ? error.cause.stack : error.cause}` };
  return { outcome: "refused", why: error.fault === "too_complex" ? `too_complex: ${error.limit}` : error.fault };
}

/** Whether a picture has more than one colour: with a single colour its palette has one entry. @param {{ mime: string, bytes: Uint8Array }} picture */
function inked({ mime, bytes }) {
  if (mime !== "image/png") return true;
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const palette = png.indexOf("PLTE");
  return palette === -1 || png.readUInt32BE(palette - 4) > 3;
}

function showProgress() {
  const line = `${verdicts.length} of ${files.length}, ${((performance.now() - began) / 1000).toFixed(0)} s`;
  if (process.stderr.isTTY) process.stderr.write(`\r${line}${verdicts.length === files.length ? "\n" : ""}`);
  else if (verdicts.length === files.length) console.error(line);
}

function report() {
  const by = (/** @type {string} */ outcome) => verdicts.filter((verdict) => verdict.outcome === outcome);
  const bad = [...by("hung"), ...by("crashed"), ...by("worsened")];
  const row = (/** @type {string} */ name, /** @type {number} */ count) => console.log(`${String(count).padStart(6)}  ${name}`);
  row("files", verdicts.length);
  row("opened", by("opened").length);
  for (const [note, count] of counted(by("opened").flatMap(({ note }) => note ?? []))) row(`  ${note}`, count);
  row("refused", by("refused").length);
  for (const [why, count] of counted(by("refused").map(({ why }) => why))) row(`  ${why}`, count);
  for (const outcome of ["hung", "crashed", "worsened"]) row(outcome, by(outcome).length);
  const slowest = Math.max(0, ...verdicts.map(({ ms }) => ms));
  console.log(
    `threads ended: ${kills.deadline} by deadline, ${kills.memory} by memory, ${kills.crash} by crash; slowest file ${(slowest / 1000).toFixed(1)} s`,
  );
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  for (const { index, name, outcome, why, bytes } of bad) {
    console.log(`${outcome}: ${name}: ${why}`);
    writeFileSync(`${results}${outcome}-${index}.pdf`, bytes);
  }
  writeFileSync(
    `${results}files.txt`,
    verdicts
      .map(({ name, outcome, why, note, ms }) => `${outcome}\t${why ?? note ?? ""}\t${ms.toFixed(0)} ms\t${name}\n`)
      .sort()
      .join(""),
  );
  process.exitCode = bad.length > 0 || kills.crash > 0 ? 1 : 0;
}

/** @param {(string | undefined)[]} values @returns {[value: string | undefined, count: number][]} */
function counted(values) {
  /** @type {Map<string | undefined, number>} */
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}
