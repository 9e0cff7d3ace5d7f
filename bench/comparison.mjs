import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contract, filledForm, highlighted, withRevision } from "./documents.mjs";
import { engineTimes } from "./engine-run.mjs";
import { atMost, median } from "./figure.mjs";
import { root, scratchFolder } from "./harness.mjs";

const ROUNDS = 3;
// Until the engine's code is compiled.
const WARM_UP = 15;
const RUNS = 30;
const GOAL = 1.5;

/**
 * COMPARISON: CPU time of taking in a document with and without the comparison of its pages before and after cleaning, both in turn in one
 * process whose engine has been used before, as in a thread of the pool.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureComparison({ end }) {
  const folder = await scratchFolder(end);
  const figures = [];
  for (const [name, bytes] of documents()) {
    const file = join(folder, "upload.pdf");
    await writeFile(file, bytes);
    figures.push(await measureOne(name, file));
  }
  return figures;
}

/** A contract has a tag on every tenth page. The lease of the README is a page of text with five tags. @returns {[string, Uint8Array][]} */
function documents() {
  return [
    ["a full page", contract(1, "simple")],
    ["a full page, font embedded", contract(1, "composite")],
    ["a full page that was changed by appending", withRevision(contract(1, "simple"))],
    ["a full page with a highlight", highlighted(1)],
    ["a lease of a page with 5 tags", new Uint8Array(execFileSync("node", ["examples/make-lease.mjs"], { cwd: root }))],
    ["a short form, 2 fields filled in", filledForm(false)],
    ["a short form, filled in by appending", filledForm(true)],
    ["9 full pages", contract(9, "simple")],
    ["10 full pages, 1 tag", contract(10, "simple")],
    ["10 full pages, 1 tag, 1 highlight", highlighted(10)],
    ["60 full pages, 6 tags", contract(60, "simple")],
  ];
}

/** @param {string} name @param {string} file @returns {Promise<import("./figure.mjs").Figure>} */
async function measureOne(name, file) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { takeIn, takeInCompared } = await engineTimes(file, ["takeIn", "takeInCompared"], WARM_UP + RUNS);
    const [without_ms, compared_ms] = [takeIn, takeInCompared].map((times) => median(times?.warm_ms.slice(WARM_UP) ?? []));
    rounds.push({ without_ms: without_ms ?? Number.NaN, compared_ms: compared_ms ?? Number.NaN });
  }
  const ratio = median(rounds.map(({ without_ms, compared_ms }) => compared_ms / without_ms));
  const [without, compared] = [median(rounds.map((each) => each.without_ms)), median(rounds.map((each) => each.compared_ms))];
  return {
    id: "COMPARISON",
    name: `take in ${name}`,
    measured: `${ratio.toFixed(2)} × (${compared.toFixed(1)} ms of ${without.toFixed(1)} ms CPU)`,
    goal: `<= ${GOAL} × without comparison`,
    verdict: atMost(ratio, GOAL),
    values: { rounds },
  };
}
