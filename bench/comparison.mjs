// node bench/comparison.mjs [--runs 30]: CPU time of taking in a document with and without the comparison of its pages before and after
// cleaning, both in turn in one process whose engine has been used before, as in a thread of the pool. Prints the medians and their ratio.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { contract } from "./documents.mjs";
import { median } from "./figure.mjs";
import { engine, root } from "./harness.mjs";

const { openPdf, describe, sanitize, findAll, removeTags, save, assertClean, contentFacts, createBudget } = await engine("index.js");
const { jobs } = await engine("jobs.js");
const { displayedPage } = await engine("page-tree.js");

const { values } = parseArgs({ options: { runs: { type: "string", default: "30" } } });
const RUNS = Number(values.runs);
// Until the engine's code is compiled.
const WARM_UP = Math.ceil(RUNS / 2);

// A contract has a tag on every tenth page. The lease of the README is a page of text with five tags.
const documents = [
  ["contract, 1 page", contract(1, "simple")],
  ["contract, 1 page, font embedded", contract(1, "composite")],
  ["lease, 1 page, 5 tags", new Uint8Array(execFileSync("node", ["examples/make-lease.mjs"], { cwd: root }))],
  ["contract, 9 pages", contract(9, "simple")],
  ["contract, 10 pages, 1 tag", contract(10, "simple")],
  ["contract, 60 pages, 6 tags", contract(60, "simple")],
];

for (const [name, file] of /** @type {[string, Uint8Array][]} */ (documents)) {
  const [without, compared] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let run = 0; run < RUNS + WARM_UP; run++) {
    const [a, b] = [
      await cpuMs(() => ingestWithout(file.slice())),
      await cpuMs(() => jobs.ingest(file.slice(), { tags: "document" }, () => undefined)),
    ];
    if (run < WARM_UP) continue;
    without.push(a);
    compared.push(b);
  }
  const [base, now] = [median(without), median(compared)];
  console.log(`${name}: ${base.toFixed(1)} ms without, ${now.toFixed(1)} ms with the comparison: ${(now / base).toFixed(2)} ×`);
}

/** @param {() => Promise<unknown>} work */
async function cpuMs(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What `jobs.ingest` does with a document without annotations and hidden content, apart from the comparison. @param {Uint8Array} file */
async function ingestWithout(file) {
  const doc = await openPdf(file, createBudget());
  describe(doc);
  const clean = await sanitize(doc);
  const { tags } = findAll(clean.doc, []);
  let final = { doc: clean.doc, bytes: clean.bytes };
  if (tags.spans.length > 0) {
    const before = clean.doc.pages.map((/** @type {any} */ { dict }) => displayedPage(clean.doc, dict));
    const { boxes } = removeTags(clean.doc, tags.spans);
    const bytes = await save(clean.doc);
    final = { doc: await openPdf(bytes, doc.budget), bytes };
    await assertClean(final.doc, before);
    contentFacts(
      final.doc,
      final.doc.pages.filter((/** @type {any} */ { index }) => boxes.has(index + 1)),
    );
  }
  describe(final.doc);
  createHash("sha256").update(final.bytes).digest("hex");
}
