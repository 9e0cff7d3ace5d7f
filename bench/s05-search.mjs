import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contract } from "./documents.mjs";
import { engineTimes } from "./engine-run.mjs";
import { atMost, median } from "./figure.mjs";
import { scratchFolder } from "./harness.mjs";
import { cpuSecondsOfRun } from "./process-use.mjs";

const PAGES = 300;
const ROUNDS = 5;
const WARM_RUNS = 2;
const GOAL = 1;

/**
 * S5: opening a document of 300 pages and finding its tags and ten anchors, compared with the time `pdftotext -bbox` takes to write the
 * position of every word. Both alternate, and a ratio is within one round.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureSearch({ end }) {
  const folder = await scratchFolder(end);
  const figures = [];
  for (const fonts of /** @type {const} */ (["simple", "composite"])) {
    const file = join(folder, `${fonts}.pdf`);
    await writeFile(file, contract(PAGES, fonts));
    figures.push(...(await measureOne(file, fonts === "simple" ? "one-byte fonts" : "Type0 fonts")));
  }
  return figures;
}

/** @param {string} file @param {string} fonts @returns {Promise<import("./figure.mjs").Figure[]>} */
async function measureOne(file, fonts) {
  /** @type {{ reference_ms: number | null, cold_ms: number, warm_ms: number }[]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const reference = cpuSecondsOfRun("pdftotext", ["-bbox", file, "/dev/null"]);
    const { search } = await engineTimes(file, ["search"], WARM_RUNS);
    if (search === undefined) throw new Error("the search was not measured");
    rounds.push({ reference_ms: reference === null ? null : reference * 1000, cold_ms: search.cold_ms, warm_ms: median(search.warm_ms) });
  }
  const row = (/** @type {"cold_ms" | "warm_ms"} */ which, /** @type {string} */ name) => {
    const own = median(rounds.map((round) => round[which]));
    const ratio = median(rounds.map((round) => (round.reference_ms === null ? Number.NaN : round[which] / round.reference_ms)));
    const compared = Number.isNaN(ratio) ? "no reference here" : `${ratio.toFixed(2)} ×`;
    return /** @type {import("./figure.mjs").Figure} */ ({
      id: "S5",
      name: `tags and 10 anchors in ${PAGES} pages, ${fonts}, ${name}`,
      measured: `${compared} (${own.toFixed(0)} ms CPU)`,
      goal: `<= ${GOAL.toFixed(1)} × pdftotext -bbox`,
      verdict: Number.isNaN(ratio) ? "info" : atMost(ratio, GOAL),
      values: { rounds },
    });
  };
  return [row("warm_ms", "thread in use"), row("cold_ms", "fresh thread")];
}
