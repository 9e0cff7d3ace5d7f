// `npm test`: types, lint, every unit and HTTP test and one browser story per page. `npm test -- --all`: also every story, the long
// property tests and the README walks. `npm test -- <paths>`: all tests in these files and folders only.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const given = process.argv.slice(2);
const paths = given.filter((one) => one !== "--all");
const all = given.includes("--all") || paths.length > 0;
const cache = `${root}node_modules/.cache`;
const results = `${cache}/test-results.json`;
const began = performance.now();

/** @type {[name: string, program: string, args: string[]][]} */
const checks = [
  ["commit messages", "scripts/check-commits.mjs", []],
  ["types", "node_modules/typescript/bin/tsc", ["--project", "tsconfig.tests.json"]],
  ["types of the pages", "node_modules/typescript/bin/tsc", ["--project", "web/tsconfig.json"]],
  ["types of the verifier's page", "node_modules/typescript/bin/tsc", ["--project", "verify/page/tsconfig.json"]],
  ["types of the elements", "node_modules/typescript/bin/tsc", ["--project", "embed/tsconfig.json"]],
  ["types of the scripts", "node_modules/typescript/bin/tsc", ["--project", "tsconfig.scripts.json"]],
  ["lint", "node_modules/@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]],
];
/** @type {typeof checks[number]} */
const tests = [
  "tests",
  "node_modules/vitest/vitest.mjs",
  ["run", "--reporter=default", "--reporter=json", `--outputFile=${results}`, ...paths],
];

for (const [name, program, args] of paths.length > 0 ? [tests] : [...checks, tests]) {
  const from = performance.now();
  const env = { ...process.env, TEST_ALL: String(all) };
  const { status } = spawnSync(process.execPath, [root + program, ...args], { cwd: root, stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
  console.log(`${name}: ok (${seconds(from)})`);
}

/** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number }} */
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, "utf8"));
const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} processors`;
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped in ${seconds(began)} (${machine})`);
if (!all) console.log("Left out: the long tests. `npm test -- --all` runs them too.");
const missing = `${cache}/browser-missing.txt`;
if (existsSync(missing)) console.log(`Left out: the browser stories, because ${readFileSync(missing, "utf8")}`);

/** @param {number} from */
function seconds(from) {
  return `${((performance.now() - from) / 1000).toFixed(0)} s`;
}
