// npm run fuzz -- --corpus <folder> [--limit N]                  every PDF in the folder and its subfolders
// npm run fuzz -- --mutate N --seed S [--corpus <folder>]        N damaged files, made from the fixtures and the folder
//   --from M        begins with damaged file M, to repeat one or to go on after a run that was cut off
//   --kind K        only one kind of damage: bytes, values, form, font, annotations
//   --workers W     files at once; as many as there are cores by default, at most 4
//   --minutes T     stops after T minutes
//   --out <folder>  for the list of files and the files that failed; a new temporary folder by default
//
// Each file is processed like an upload, its first page is rendered, and our output is processed again. Then a value is stamped on it and
// the result is marked as a copy, which must be readable too. Rejecting a file is fine; hanging past the deadline, crashing, or damaging
// a file that PDFium can show is not. A file that found the pool busy was not judged; nothing is tried twice.
//
// Exit code: 0 every file was judged and none failed, 1 a file failed, 2 wrong options, 3 none failed but some were not judged. A run that
// is cut off by Ctrl-C, SIGTERM or --minutes prints its summary too.

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { createPdfPool } from "@countersign/pdf";
import { corpusFiles, isKind, mutatedFiles } from "./inputs.mjs";
import { DEADLINE_MS, FULL_WIDTH, judge, PATIENCE, SMALL_WIDTH } from "./judge.mjs";
import { showEvery } from "./progress.mjs";
import { openReport } from "./report.mjs";

const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    limit: { type: "string" },
    mutate: { type: "string" },
    seed: { type: "string" },
    from: { type: "string" },
    kind: { type: "string" },
    workers: { type: "string" },
    minutes: { type: "string" },
    out: { type: "string" },
  },
});
const folder = values.corpus ?? process.env.PDF_CORPUS_DIR;
if (folder === undefined && values.mutate === undefined) fail("Give a folder with --corpus, or a number with --mutate.");
if (folder !== undefined && !existsSync(folder)) fail(`The folder ${folder} does not exist.`);
if (values.kind !== undefined && !isKind(values.kind)) fail("--kind is bytes, values, form, font or annotations.");
const limit = number("limit", Number.POSITIVE_INFINITY);
const workers = number("workers", Math.min(availableParallelism(), 4));
const minutes = number("minutes", Number.POSITIVE_INFINITY);
const from = number("from", 0);

const seed = values.seed ?? String(Date.now());
const corpus = folder === undefined ? [] : corpusFiles(folder).slice(0, limit);
const files =
  values.mutate === undefined ? corpus : await mutatedFiles({ count: number("mutate", 0), seed, corpus, from, kind: values.kind });
const repeat = (/** @type {number} */ index) =>
  values.mutate === undefined
    ? ""
    : `npm run fuzz -- --mutate 1 --seed ${seed} --from ${from + index}${folder === undefined ? "" : ` --corpus ${folder}`}${values.kind === undefined ? "" : ` --kind ${values.kind}`}`;
const report = openReport({ total: files.length, out: values.out, repeat });
if (values.mutate !== undefined) console.log(`seed ${seed}`);

// Seven jobs a file: a new thread every 200 jobs, as in the service, would spend a good part of its time on starting.
const pool = createPdfPool({
  deadline_ms: DEADLINE_MS,
  patience: PATIENCE,
  workers,
  jobs_per_worker: 2_000,
  // Three of a hundred damaged files hang libpdf's parser. The others, at most a megabyte, are opened in a few milliseconds.
  ...(values.mutate === undefined ? {} : { open_ms: 1_500 }),
});
const width_px = values.mutate === undefined ? FULL_WIDTH : SMALL_WIDTH;
/** Why no further file is taken; null while there is no reason. @type {string | null} */
let cutOff = null;
const remaining = numbered();
const stopShowing = showEvery(() => report.progress());
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop(signal));
const timer = Number.isFinite(minutes) ? setTimeout(() => stop(`the limit of ${minutes} minutes`), minutes * 60_000) : undefined;
try {
  // As many files at once as there are threads: a file that waits for a thread would seem to hang. Two callers, so that turns are
  // exercised.
  await Promise.all(Array.from({ length: workers }, (_, n) => work({ key: String(n % 2) })));
} finally {
  clearTimeout(timer);
  stopShowing();
  // Before the pool is closed: its threads do not keep the program alive, so nothing after waiting for them is certain to run.
  process.exitCode = report.finish(pool.stats().kills, cutOff);
  void pool.close();
}

/** @param {string} why */
function stop(why) {
  cutOff ??= why;
  // Ends the files in progress; they are not judged.
  void pool.close();
}

function* numbered() {
  let index = 0;
  for (const file of files) yield { index: index++, ...file };
}

/** @param {import("./judge.mjs").Turn} turn */
async function work(turn) {
  for (const { index, name, read } of remaining) {
    const bytes = read();
    const began = performance.now();
    const verdict = await judge(pool, bytes, turn, width_px);
    if (cutOff !== null) return;
    report.add({ index, name, bytes, ms: performance.now() - began, ...verdict });
  }
}

/** @param {"limit" | "workers" | "minutes" | "from" | "mutate"} name @param {number} otherwise */
function number(name, otherwise) {
  const given = Number(values[name] ?? otherwise);
  return given > 0 || given === otherwise ? given : fail(`--${name} must be a number above 0.`);
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}
