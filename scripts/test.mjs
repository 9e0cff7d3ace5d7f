// Everything `npm test` promises, cheapest first: types, lint and format, then the tests on a real PostgreSQL.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const only = process.argv.slice(2);
const results = `${root}node_modules/.cache/test-results.json`;

const steps = [
  ["types", "node_modules/typescript/bin/tsc", ["--project", "tsconfig.tests.json"]],
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

const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, "utf8"));
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
