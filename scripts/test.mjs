// Everything `npm test` promises, cheapest first: types, lint and format, then the tests on a real PostgreSQL.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findChromium } from "../web/browser/chromium.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const only = process.argv.slice(2);
const results = `${root}node_modules/.cache/test-results.json`;

const steps = [
  ["types", "node_modules/typescript/bin/tsc", ["--project", "tsconfig.tests.json"]],
  ["types of the pages", "node_modules/typescript/bin/tsc", ["--project", "web/tsconfig.json"]],
  ["types of the elements", "node_modules/typescript/bin/tsc", ["--project", "embed/tsconfig.json"]],
  ["lint", "node_modules/@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]],
  ["tests", "node_modules/vitest/vitest.mjs", ["run", "--reporter=default", "--reporter=json", `--outputFile=${results}`, ...only]],
];

for (const [name, program, args] of steps) {
  if (only.length > 0 && name !== "tests") continue;
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [root + program, ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  console.log(`${name}: ok (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(results, "utf8"));
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
if (testResults.some(({ name }) => name.includes("/web/test/"))) {
  const found = await findChromium();
  if ("missing" in found) console.log(`browser tests: not run, ${found.missing}`);
}
