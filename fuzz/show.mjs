// node fuzz/show.mjs --out <folder> [--corpus <folder>] [--files 30] [--seed 1]
//
// Shows what the engine does with documents, and lets other programs judge it:
// - forms: ten forms before and after an upload, side by side as PDFium, poppler and MuPDF show them
// - scripts: a signed and sealed document in each of eight scripts, as the three show it, and its text as pdftotext reads it
// - odd files: files of the corpus, chosen by a seed, cleaned, stamped and sealed, as qpdf --check and pdfsig judge them
// Writes pictures and PDFs to the folder and prints the rest. Needs poppler, qpdf and MuPDF. The exit code is 1 if a text is not read as it was
// written, qpdf finds more wrong than in the upload, or a signature is not valid.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createPdfPool } from "@countersign/pdf";
import { runnerImport } from "vite";
import { corpusFiles } from "./inputs.mjs";
import { refusal } from "./judge.mjs";
import { pngOf } from "./png.mjs";
import { sampleForms } from "./sample-forms.mjs";
import { missing, picturesOf, sheetOf, viewers } from "./viewers.mjs";

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    corpus: { type: "string" },
    files: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
  },
});
const absent = missing(["pdftoppm", "pdftotext", "pdfsig", "qpdf", "mutool"]);
if (values.out === undefined || absent.length > 0) {
  console.error(values.out === undefined ? "Give a folder with --out." : `Missing: ${absent.join(", ")}`);
  process.exit(2);
}
const out = values.out;
mkdirSync(out, { recursive: true });

/** @template T @param {string} name @returns {Promise<T>} */
const fixture = async (name) =>
  /** @type {T} */ ((await runnerImport(fileURLToPath(new URL(`../pdf/fixtures/${name}`, import.meta.url)))).module);
const writer = /** @type {typeof import("../pdf/fixtures/writer.ts")} */ (await fixture("writer.ts"));
const pages = /** @type {typeof import("../pdf/fixtures/pages.ts")} */ (await fixture("pages.ts"));
const { makeOrg } = /** @type {{ makeOrg: () => Promise<unknown> }} */ (await fixture("certificates.ts"));
const { sealedBy } = /** @type {{ sealedBy: (org: unknown, bytes: Uint8Array) => Promise<Uint8Array> }} */ (await fixture("sealed.ts"));

/** A name and a sentence in each. @type {[script: string, name: string, sentence: string][]} */
const SCRIPTS = [
  ["latin", "Zoë Ďábel", "Ratifié à Łódź, 30 €"],
  ["greek", "Ελένη Παπαδοπούλου", "Συμφωνώ με τους όρους"],
  ["cyrillic", "Юлія Щербак", "Согласен с условиями"],
  ["hebrew", "דוד כהן", "אני מסכים לתנאים"],
  ["arabic", "محمد بن عبد الله", "أوافق على الشروط"],
  ["han", "山田 太郎", "条件に同意します"],
  ["thai", "สมชาย ใจดี", "ยอมรับเงื่อนไข"],
  ["devanagari", "दीक्षित शर्मा", "मैं शर्तों से सहमत हूँ"],
];

const org = await makeOrg();
const pool = createPdfPool({ workers: 1 });
const scratch = mkdtempSync(join(tmpdir(), "show-"));
let faults = 0;
try {
  await showForms();
  await showScripts();
  if (values.corpus !== undefined) await judgeOddFiles(values.corpus);
} finally {
  rmSync(scratch, { recursive: true });
  void pool.close();
}
process.exitCode = faults === 0 ? 0 : 1;

/** @param {string} name @param {Uint8Array} bytes */
function put(name, bytes) {
  const path = join(out, name);
  writeFileSync(path, bytes);
  return path;
}

async function showForms() {
  console.log(`Forms: before above, after below; ${viewers.join(", ")} from the left`);
  for (const [name, before] of sampleForms(writer, pages)) {
    const { bytes, warnings, page_warnings } = await pool.ingest(before.slice(), { tags: "document" });
    const files = [put(`form-${name}-before.pdf`, before), put(`form-${name}-after.pdf`, bytes)];
    const rows = [];
    for (const file of files) rows.push(await picturesOf(file, join(scratch, "page")));
    put(`form-${name}.png`, pngOf(sheetOf(rows)));
    const said = [...warnings, ...page_warnings.map(({ code }) => code)];
    console.log(`  ${name}${said.length === 0 ? "" : `: ${said.join(", ")}`}`);
  }
}

async function showScripts() {
  console.log("Scripts: the text as pdftotext reads it");
  const blank = writer.writePdf(pages.onePage({ mediaBox: "[0 0 420 200]", content: pages.text("Agreement", 20, 170, 14) }));
  const area = (/** @type {number} */ y, /** @type {number} */ h) => [{ page: 1, x: 0.05, y, w: 0.9, h }];
  const rows = [];
  for (const [script, name, sentence] of SCRIPTS) {
    const time = new Date("2026-03-01T09:30:00.000Z");
    const { bytes } = await pool.finish(blank.slice(), {
      marks: [
        { kind: "text", field: "Consent", signer: "sig_1", areas: area(0.25, 0.12), value: sentence },
        {
          kind: "mark",
          field: "Signature",
          areas: area(0.5, 0.4),
          value: { kind: "typed", text: name, font: "caveat" },
          signer: "sig_1",
          name,
          time,
          reference: "env_1",
        },
      ],
    });
    const file = put(`script-${script}.pdf`, await sealedBy(org, bytes));
    const read = execFileSync("pdftotext", [file, "-"], { encoding: "utf8" }).replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
    const flat = read.replaceAll(/\s+/g, " ").trim();
    const isRead = [name, sentence].every((text) => flat.includes(text));
    if (!isRead) faults++;
    console.log(`  ${script}: ${isRead ? "read as written" : "NOT READ AS WRITTEN"}: ${flat}`);
    rows.push(await picturesOf(file, join(scratch, "page")));
  }
  put("scripts.png", pngOf(sheetOf(rows)));
}

/** @param {string} folder */
async function judgeOddFiles(folder) {
  const random = (/** @type {string} */ name) => createHash("sha256").update(`${values.seed}:${name}`).digest("hex");
  const files = corpusFiles(folder).sort((a, b) => (random(a.name) < random(b.name) ? -1 : 1));
  console.log("Odd files: qpdf --check before and after, pdfsig after");
  let judged = 0;
  for (const { name, read } of files) {
    if (judged === Number(values.files)) break;
    const upload = read();
    const taken = await pool.ingest(upload.slice(), { tags: "document" }).catch(refusal);
    if (!("bytes" in taken)) {
      console.log(`  refused (${taken.why}): ${name}`);
      continue;
    }
    judged++;
    const note = { kind: /** @type {const} */ ("text"), field: "Note", signer: "sig_1", value: "Agreed" };
    const stamped = await pool
      .finish(taken.bytes.slice(), { marks: [{ ...note, areas: [{ page: 1, x: 0.1, y: 0.1, w: 0.5, h: 0.1 }] }] })
      .catch(refusal);
    const sealed = await sealedBy(org, "bytes" in stamped ? stamped.bytes : taken.bytes);
    const before = checked(join(scratch, "before.pdf"), upload);
    const after = checked(put(`odd-${judged}.pdf`, sealed), sealed);
    const signature = signatureIn(join(out, `odd-${judged}.pdf`));
    const isGood = (after === "clean" || after === before) && signature === "valid";
    if (!isGood) faults++;
    console.log(`  ${isGood ? "good" : "BAD"}: qpdf ${before} -> ${after}, signature ${signature}: ${name}`);
  }
}

/** What `qpdf --check` says: 0 is clean, 3 are warnings, 2 are errors. @param {string} path @param {Uint8Array} bytes */
function checked(path, bytes) {
  writeFileSync(path, bytes);
  const { status } = spawnSync("qpdf", ["--check", path], { stdio: "ignore" });
  return status === 0 ? "clean" : status === 3 ? "warnings" : "errors";
}

/** @param {string} path */
function signatureIn(path) {
  const { stdout } = spawnSync("pdfsig", ["-nocert", path], { encoding: "utf8" });
  const isWhole = /Total document signed/.test(stdout);
  return /Signature is Valid\./.test(stdout) && isWhole ? "valid" : `not valid: ${stdout.replaceAll(/\s+/g, " ").slice(0, 200)}`;
}
