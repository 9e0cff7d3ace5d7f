// `npm test`: types, lint, every unit and HTTP test and one browser story per page. `npm test -- --all`: also every story, the long
// property tests and the README walks. `npm test -- <paths>`: all tests in these files and folders only.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const given = process.argv.slice(2);
const paths = given.filter((one) => one !== "--all");
const all = given.includes("--all") || paths.length > 0;
const cache = `${root}node_modules/.cache`;
const results = `${cache}/test-results.json`;
const began = performance.now();
/** how many are named at the end */
const SLOWEST = 10;

/** @type {[name: string, program: string, args: string[]][]} */
const checks = [
  ["commit messages", "scripts/check-commits.mjs", []],
  ["English", "scripts/check-english.mjs", []],
  ["types", "node_modules/typescript/bin/tsc", ["--project", "tsconfig.tests.json"]],
  ["types of the pages", "node_modules/typescript/bin/tsc", ["--project", "web/tsconfig.json"]],
  ["types of the verifier's page", "node_modules/typescript/bin/tsc", ["--project", "verify/page/tsconfig.json"]],
  ["types of the elements", "node_modules/typescript/bin/tsc", ["--project", "embed/tsconfig.json"]],
  ["types of the documentation's scripts", "node_modules/typescript/bin/tsc", ["--project", "site/tsconfig.json"]],
  ["types of the scripts", "node_modules/typescript/bin/tsc", ["--project", "tsconfig.scripts.json"]],
  ["lint", "node_modules/@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]],
];
/** @type {typeof checks[number]} */
const tests = [
  "tests",
  "node_modules/vitest/vitest.mjs",
  ["run", "--reporter=default", "--reporter=json", `--outputFile=${results}`, ...paths],
];

// The checks run one after the other beside the tests, which often wait for a clock or a program and leave a processor free.
/** @type {string[]} */
const failed = [];
await Promise.all([paths.length > 0 ? null : runChecks(), run(tests, "inherit")]);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}`);
  process.exit(1);
}

/**
 * @typedef {{ name: string, startTime: number, endTime: number }} TestFile times in milliseconds
 * @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: TestFile[] }}
 */
const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(results, "utf8"));
console.log(slowestFiles(testResults));
const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} processors`;
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped in ${seconds(began)} (${machine})`);
if (!all) console.log("Left out: the long tests. `npm test -- --all` runs them too.");
const missing = `${cache}/browser-missing.txt`;
if (existsSync(missing)) console.log(`Left out: the browser stories, because ${readFileSync(missing, "utf8")}`);

/** A failed check is printed as soon as it ends. The tests continue, because they stop their database and browser at their end. */
async function runChecks() {
  for (const check of checks) await run(check, "pipe");
}

/** @param {typeof checks[number]} step @param {"inherit" | "pipe"} output "pipe": printed at its end, not mixed with that of the tests */
async function run([name, program, args], output) {
  const from = performance.now();
  const env = { ...process.env, TEST_ALL: String(all) };
  const child = spawn(process.execPath, [root + program, ...args], { cwd: root, stdio: ["inherit", output, output], env });
  /** @type {Buffer[]} */
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece) => printed.push(piece));
  /** @type {number | null} */
  const status = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  process.stdout.write(Buffer.concat(printed));
  if (status !== 0) failed.push(name);
  console.log(`${name}: ${status === 0 ? "ok" : "failed"} (${seconds(from)})`);
}

/** A file that is new in this list is worth a look: CONTRIBUTING.md says what a test costs. @param {TestFile[]} files */
function slowestFiles(files) {
  const taken = files.map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }));
  const slowest = taken.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  return ["The slowest files:", ...slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)].join("\n");
}

/** @param {number} from */
function seconds(from) {
  return `${((performance.now() - from) / 1000).toFixed(0)} s`;
}
