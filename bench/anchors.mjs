// node bench/anchors.mjs --corpus <folder> [--files 150] [--seed 1] [--show]: how many texts of real documents the engine finds where
// `pdftotext -bbox` sees them, how many of its matches poppler confirms, and the CPU time of both on the same files. Linux with poppler
// only. `--show` lists every text that was missed or found where poppler sees no such text.

import { fork, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { corpusFiles } from "../fuzz/inputs.mjs";
import { generator } from "../fuzz/mutate.mjs";
import { engine } from "./harness.mjs";
import { cpuSecondsOfRun } from "./process-use.mjs";

const self = fileURLToPath(import.meta.url);

// A file that the parser cannot finish is skipped.
const HUNG_AFTER_MS = 60_000;
const MAX_PAGES = 5;
const PER_KIND = 4;
const MIN_WORDS = 12;
// Enough occurrences to judge the precision of a common word.
const MAX_OCCURRENCES = 100;
const EDGE_PT = 1;
// The clock of other processes has steps of 10 ms, so a short run is repeated.
const MIN_REFERENCE_S = 0.2;
const MAX_REPEATS = 10;
const WORD = /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<\/word>/g;
/** @type {Record<string, string>} */
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const RIGHT_TO_LEFT = /(?!\p{Nd})[\p{sc=Hebr}\p{sc=Arab}]/u;

/** @typedef {{ text: string, left: number, top: number, right: number, bottom: number }} Word displayed points from the top left */
/** @typedef {{ w_pt: number, h_pt: number }} Size */
/** @typedef {"word" | "phrase" | "line break"} Kind */
/** @typedef {{ kind: Kind, page: number, text: string, first: Word, last: Word }} Query `first` to `last` is the first line of the text */
/** @typedef {{ page: number, left: number, top: number, right: number, bottom: number }} Match */
/** @typedef {{ matches: Match[][], sizes: Size[], cpu_ms: number } | { refused: string }} Answer */

if (process.send === undefined) await main();
else await serve();

async function main() {
  const { values } = parseArgs({
    options: {
      corpus: { type: "string" },
      files: { type: "string", default: "150" },
      seed: { type: "string", default: "1" },
      show: { type: "boolean", default: false },
    },
  });
  const folder = values.corpus ?? process.env.PDF_CORPUS_DIR;
  if (folder === undefined || spawnSync("pdftotext", ["-v"]).error !== undefined) {
    console.error("Needs a folder of PDFs (--corpus) and poppler's pdftotext.");
    process.exit(2);
  }
  const random = (/** @type {string} */ name) => createHash("sha256").update(`${values.seed}:${name}`).digest().readUInt32BE();
  const shuffled = corpusFiles(folder).sort((a, b) => random(a.name) - random(b.name));
  const scratch = mkdtempSync(join(tmpdir(), "anchors-"));
  const counts = createCounts();
  try {
    let child = startChild();
    for (const { name, read } of shuffled) {
      if (counts.files >= Number(values.files)) break;
      const file = join(scratch, "file.pdf");
      writeFileSync(file, read());
      const pages = popplerPages(file);
      const queries = pages === null ? [] : chooseQueries(pages, generator(random(name)));
      if (pages === null || queries.length === 0) continue;
      const answer = await ask(child, file, queries);
      if (answer === null) child = startChild();
      if (answer === null || "refused" in answer) {
        counts.refused.push(`${name}: ${answer?.refused ?? "too slow"}`);
        continue;
      }
      counts.files++;
      const reference_s = referenceSeconds(file);
      counts.times.push({ name, own_s: answer.cpu_ms / 1000, reference_s });
      for (const [n, query] of queries.entries()) {
        if (isSameSize(pages[query.page - 1]?.size, answer.sizes[query.page - 1]))
          judge(counts, name, query, answer.matches[n] ?? [], pages);
      }
    }
    child.disconnect();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  report(counts, values.show);
}

/** Positions by poppler are not those of the displayed page if it has a crop box or a UserUnit. @param {Size | undefined} a @param {Size | undefined} b */
function isSameSize(a, b) {
  return a !== undefined && b !== undefined && Math.abs(a.w_pt - b.w_pt) < 0.5 && Math.abs(a.h_pt - b.h_pt) < 0.5;
}

function createCounts() {
  /** @type {Record<Kind, { asked: number, found: number, edges: number }>} */
  const kinds = {
    word: { asked: 0, found: 0, edges: 0 },
    phrase: { asked: 0, found: 0, edges: 0 },
    "line break": { asked: 0, found: 0, edges: 0 },
  };
  return {
    files: 0,
    kinds,
    matches: 0,
    confirmed: 0,
    /** @type {{ name: string, own_s: number, reference_s: number }[]} */
    times: [],
    /** @type {string[]} */
    refused: [],
    /** @type {string[]} */
    missed: [],
    /** @type {string[]} */
    unconfirmed: [],
  };
}

/**
 * The words of the first pages, in poppler's order; null if poppler cannot read the file.
 * @param {string} file @returns {{ size: Size, words: Word[] }[] | null}
 */
function popplerPages(file) {
  const { status, stdout } = spawnSync("pdftotext", ["-bbox", "-l", String(MAX_PAGES), file, "-"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    timeout: HUNG_AFTER_MS,
  });
  if (status !== 0) return null;
  return stdout
    .split("<page ")
    .slice(1)
    .map((page) => {
      const [, width, height] = /^width="([\d.]+)" height="([\d.]+)"/.exec(page) ?? [];
      const words = [...page.matchAll(WORD)].map(([, left, top, right, bottom, text = ""]) => ({
        text: inReadingOrder(text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name] ?? "")),
        left: Number(left),
        top: Number(top),
        right: Number(right),
        bottom: Number(bottom),
      }));
      return { size: { w_pt: Number(width), h_pt: Number(height) }, words };
    });
}

/** `-bbox` writes words of Hebrew and Arabic letters from left to right. @param {string} text */
function inReadingOrder(text) {
  return RIGHT_TO_LEFT.test(text) ? [...text].reverse().join("") : text;
}

/** @param {{ words: Word[] }[]} pages @param {(limit: number) => number} next @returns {Query[]} */
function chooseQueries(pages, next) {
  const places = pages.flatMap(({ words }, page) => words.map((_, at) => ({ words, page: page + 1, at })));
  if (places.length < MIN_WORDS) return [];
  /** @type {Query[]} */
  const queries = [];
  for (const kind of /** @type {const} */ (["word", "phrase", "line break"])) {
    for (let tries = 0, chosen = 0; tries < 60 && chosen < PER_KIND; tries++) {
      const place = places[next(places.length)];
      const query = place === undefined ? null : queryAt(kind, place.words, place.page, place.at);
      if (query === null) continue;
      queries.push(query);
      chosen++;
    }
  }
  return queries;
}

/** @param {Kind} kind @param {Word[]} words @param {number} page @param {number} at @returns {Query | null} */
function queryAt(kind, words, page, at) {
  const [a, b, c] = words.slice(at, at + 3);
  if (a === undefined || !isPlain(a)) return null;
  if (kind === "word") return [...a.text].length < 3 ? null : { kind, page, text: a.text, first: a, last: a };
  if (b === undefined || c === undefined || !isPlain(b) || !isPlain(c)) return null;
  // Their order on the line would have to be judged, too.
  if ([a, b, c].some((word) => RIGHT_TO_LEFT.test(word.text))) return null;
  // In a row of the same word, such as leader dots, matches follow each other, and only some begin at the chosen word.
  if (a.text === b.text && b.text === c.text) return null;
  const text = [a, b, c].map((word) => word.text).join(" ");
  if (kind === "phrase") return follows(a, b) && follows(b, c) ? { kind, page, text, first: a, last: c } : null;
  // A hyphen at the end of a line is part of the word for us, and poppler joins such words in other ways.
  if (/[-\u00ad\u2010]$/.test(a.text) || /[-\u00ad\u2010]$/.test(b.text)) return null;
  if (wraps(a, b) && follows(b, c)) return { kind, page, text, first: a, last: a };
  return follows(a, b) && wraps(b, c) ? { kind, page, text, first: a, last: b } : null;
}

/** Without characters that have no meaning in a font without Unicode. @param {Word} word */
function isPlain({ text, left, right, top, bottom }) {
  if (text === "" || /[\p{C}\ufffd]/u.test(text)) return false;
  return right > left && bottom > top && [left, right, top, bottom].every(Number.isFinite);
}

/** @param {Word} word */
function height(word) {
  return word.bottom - word.top;
}

/** On the same line, with a space between. @param {Word} a @param {Word} b */
function follows(a, b) {
  const sameLine = Math.abs(a.bottom - b.bottom) < 0.2 * height(a) && Math.abs(height(a) - height(b)) < 0.3 * height(a);
  return sameLine && b.left > a.right && b.left - a.right < height(a);
}

/** The first word of the next line of the same paragraph. @param {Word} a @param {Word} b */
function wraps(a, b) {
  const down = b.top - a.top;
  return down > 0.7 * height(a) && down < 2 * height(a) && b.left < a.left && Math.abs(height(a) - height(b)) < 0.3 * height(a);
}

/** CPU time of one run of `pdftotext -bbox`. @param {string} file */
function referenceSeconds(file) {
  let total = 0;
  let runs = 0;
  while (runs === 0 || (total < MIN_REFERENCE_S && runs < MAX_REPEATS)) {
    total += cpuSecondsOfRun("pdftotext", ["-bbox", file, "/dev/null"]) ?? 0;
    runs++;
  }
  return total / runs;
}

/** @param {ReturnType<typeof createCounts>} counts @param {string} name @param {Query} query @param {Match[]} matches @param {{ words: Word[] }[]} pages */
function judge(counts, name, query, matches, pages) {
  const { kind, page, text, first, last } = query;
  const own = counts.kinds[kind];
  own.asked++;
  const here = matches.filter((match) => overlaps(match, first));
  if (here.length > 0) own.found++;
  else counts.missed.push(`${kind}\t${name}\tpage ${page}\t${JSON.stringify(text)}\t${matches.length} elsewhere`);
  if (here.some((match) => Math.abs(match.left - first.left) <= EDGE_PT && Math.abs(match.right - last.right) <= EDGE_PT)) own.edges++;
  else if (here[0] !== undefined)
    counts.missed.push(
      `edges\t${name}\tpage ${page}\t${JSON.stringify(text)}\t${[here[0].left - first.left, here[0].right - last.right].map((each) => each.toFixed(1)).join(" ")}`,
    );
  for (const match of matches) {
    counts.matches++;
    const covered = (pages[match.page - 1]?.words ?? []).filter((word) => overlaps(match, word));
    if (covered.some((word) => startsIn(word.text, text))) counts.confirmed++;
    else
      counts.unconfirmed.push(
        `${kind}\t${name}\tpage ${match.page}\t${JSON.stringify(text)}\tcovers ${JSON.stringify(covered.map((word) => word.text).join(" "))}`,
      );
  }
}

/** @param {{ left: number, top: number, right: number, bottom: number }} a @param {{ left: number, top: number, right: number, bottom: number }} b */
function overlaps(a, b) {
  const middle = (b.top + b.bottom) / 2;
  return a.left < b.right - 0.01 && b.left < a.right - 0.01 && a.top <= middle && a.bottom >= middle;
}

/** Whether a match of `text` can begin in this word: the word has its first characters, or ends with some of them. @param {string} word @param {string} text */
function startsIn(word, text) {
  const plain = (/** @type {string} */ each) =>
    each
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[\s\u00ad\u200b-\u200f]/g, "");
  const [whole, wanted] = [plain(word), plain(text)];
  if (whole === "") return false;
  if (whole.includes(wanted)) return true;
  for (let at = 0; at < whole.length; at++) if (wanted.startsWith(whole.slice(at))) return true;
  return false;
}

/** @param {ReturnType<typeof createCounts>} counts @param {boolean} show */
function report({ files, kinds, matches, confirmed, times, refused, missed, unconfirmed }, show) {
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  if (show)
    for (const line of [...missed, ...unconfirmed.map((each) => `unconfirmed ${each}`), ...refused.map((each) => `refused ${each}`)])
      console.log(line);
  const all = Object.values(kinds).reduce(
    (sum, each) => ({ asked: sum.asked + each.asked, found: sum.found + each.found, edges: sum.edges + each.edges }),
    { asked: 0, found: 0, edges: 0 },
  );
  console.log(`${files} files (${refused.length} refused and not counted)`);
  for (const [name, { asked, found, edges }] of Object.entries({ ...kinds, all })) {
    console.log(
      `${name}: found ${found} of ${asked} (${percent(found, asked)}); left and right edge within ${EDGE_PT} pt: ${edges} (${percent(edges, found)} of those found)`,
    );
  }
  console.log(`precision: ${confirmed} of ${matches} matches confirmed by poppler (${percent(confirmed, matches)})`);
  const [own, reference] = [times.reduce((sum, { own_s }) => sum + own_s, 0), times.reduce((sum, { reference_s }) => sum + reference_s, 0)];
  const ratios = times.map(({ own_s, reference_s }) => own_s / Math.max(reference_s, 0.001)).sort((a, b) => a - b);
  console.log(
    `CPU: ${own.toFixed(1)} s, pdftotext -bbox ${reference.toFixed(1)} s: ${(own / reference).toFixed(2)} ×; median of the files ${(ratios[Math.floor(ratios.length / 2)] ?? Number.NaN).toFixed(2)} ×`,
  );
}

function startChild() {
  return fork(self, [], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
}

/** Null if the child had to be ended. @param {import("node:child_process").ChildProcess} child @param {string} file @param {Query[]} queries @returns {Promise<Answer | null>} */
async function ask(child, file, queries) {
  const timer = setTimeout(() => child.kill("SIGKILL"), HUNG_AFTER_MS);
  const settled = new AbortController();
  const next = (/** @type {string} */ event) => once(child, event, { signal: settled.signal }).catch(() => []);
  const answer = Promise.race([next("message").then(([said]) => said), next("exit").then(() => null)]);
  child.send({ file, queries });
  const said = await answer;
  settled.abort();
  clearTimeout(timer);
  return said;
}

async function serve() {
  const pdf = await engine("index.js");
  process.on("message", async (/** @type {{ file: string, queries: Query[] }} */ { file, queries }) => {
    const bytes = new Uint8Array(readFileSync(file));
    try {
      // The first run loads the file's kind of code; the second is that of a thread in use.
      let cpu_ms = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 2; run++) {
        const before = process.cpuUsage();
        pdf.findAll(
          await pdf.openPdf(bytes.slice(), pdf.createBudget()),
          queries.map(({ text }) => ({ anchor_text: text })),
        );
        const { user, system } = process.cpuUsage(before);
        cpu_ms = Math.min(cpu_ms, (user + system) / 1000);
      }
      // As in the service, in which fields are part of the page before it is searched. Poppler shows fields too.
      const { doc } = await pdf.sanitize(await pdf.openPdf(bytes, pdf.createBudget()));
      const sizes = pdf.describe(doc).pages;
      const matches = queries.map(({ text, page }) => {
        const asked = Array.from({ length: MAX_OCCURRENCES }, (_, n) => ({ anchor_text: text, page, occurrence: n + 1 }));
        return pdf.findAnchors(doc, asked).flatMap((/** @type {any} */ result) => (result.found ? [inPoints(result.match, sizes)] : []));
      });
      process.send?.({ matches, sizes, cpu_ms });
    } catch (error) {
      process.send?.({ refused: String(error) });
    }
  });
}

/** @param {{ page: number, x: number, y: number, w: number, h: number }} area @param {Size[]} sizes */
function inPoints({ page, x, y, w, h }, sizes) {
  const { w_pt, h_pt } = sizes[page - 1] ?? { w_pt: 0, h_pt: 0 };
  return { page, left: x * w_pt, top: y * h_pt, right: (x + w) * w_pt, bottom: (y + h) * h_pt };
}
