import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contract } from "./documents.mjs";
import { engineTimes } from "./engine-run.mjs";
import { atMost, median } from "./figure.mjs";
import { scratchFolder } from "./harness.mjs";

const PAGES = 300;
const PARTS = 10;
const PAGES_OF_PART = 30;
const ROUNDS = 5;
const WARM_RUNS = 2;
const GOAL_MS = 1_000;

/**
 * S6: CPU time to clean and rewrite a document of 300 pages and to compare it with the upload, and to stamp and seal it. From bytes to bytes, including parsing.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureRewrite({ end }) {
  const file = join(await scratchFolder(end), "contract.pdf");
  await writeFile(file, contract(PAGES, "simple"));
  return [
    ...(await measureWork(file, "sanitize", "sanitize + rewrite with proof of look")),
    ...(await measureWork(file, "stampFive", "stamp 15 values on 5 pages + seal")),
    ...(await measureWork(file, "stampAll", "stamp 900 values on all pages + seal")),
    ...(await measureCombining(end)),
  ];
}

/**
 * Ten documents of thirty pages, which are joined when an envelope is sent.
 * @param {import("./figure.mjs").Bench["end"]} end
 */
async function measureCombining(end) {
  const file = join(await scratchFolder(end), "parts.pdf");
  const part = contract(PAGES_OF_PART, "simple");
  await writeFile(file, Buffer.concat(Array.from({ length: PARTS }, () => part)));
  return measureWork(file, "combine", `combine ${PARTS} documents`);
}

/**
 * @param {string} file
 * @param {import("./engine-run.mjs").Work} work
 * @param {string} name
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
async function measureWork(file, work, name) {
  /** @type {(import("./engine-run.mjs").Times | undefined)[]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push((await engineTimes(file, [work], WARM_RUNS))[work]);
  const row = (/** @type {string} */ state, /** @type {number} */ cpu_ms) =>
    /** @type {import("./figure.mjs").Figure} */ ({
      id: "S6",
      name: `${name}, ${PAGES} pages, ${state}`,
      measured: `${cpu_ms.toFixed(0)} ms CPU`,
      goal: "< 1 s CPU",
      verdict: atMost(cpu_ms, GOAL_MS),
      values: { rounds },
    });
  return [
    row("thread in use", median(rounds.flatMap((times) => times?.warm_ms ?? []))),
    row("fresh thread", median(rounds.map((times) => times?.cold_ms ?? Number.NaN))),
  ];
}
