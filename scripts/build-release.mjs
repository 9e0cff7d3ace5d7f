// node scripts/build-release.mjs: builds the release of the last commit in a fresh clone, so that nothing else gets into it, and writes its
// files into dist/release with a statement of where they come from, which scripts/sign-release.mjs signs.
//   --twice  builds a second time, in another folder and with other settings of the machine, and compares every byte
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { sha256Of, statementOf, subjectsOf } from "./provenance.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "dist/release");
const COMMANDS = ["npm ci --ignore-scripts --no-audit --no-fund", "npm run build", "node scripts/pack-release.mjs"];
/** What must not change the result: where and when someone builds, with which language and rights. */
const ELSEWHERE = { prefix: "countersign-second-build-in-a-longer-folder-", env: { TZ: "Pacific/Auckland", LC_ALL: "C" }, umask: 0o077 };

const { values } = parseArgs({ options: { twice: { type: "boolean", default: false } } });
const commit = said("git", ["rev-parse", "HEAD"]);
if (said("git", ["status", "--porcelain"]) !== "") console.error("Changes that are not committed are left out.");

const first = build("countersign-build-", {});
const second = values.twice ? buildElsewhere() : null;
try {
  const differences = second === null ? [] : differencesOf(join(first, "dist/release"), join(second, "dist/release"));
  for (const line of differences) console.error(line);
  if (differences.length > 0) process.exitCode = 1;
  else publish(first);
} finally {
  for (const folder of [first, second]) if (folder !== null) rmSync(folder, { recursive: true, force: true });
}

function buildElsewhere() {
  const before = process.umask(ELSEWHERE.umask);
  try {
    return build(ELSEWHERE.prefix, ELSEWHERE.env);
  } finally {
    process.umask(before);
  }
}

/** Returns the folder of the clone. @param {string} prefix @param {Record<string, string>} env */
function build(prefix, env) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const began = performance.now();
  must("git", ["clone", "--quiet", "--no-hardlinks", "--no-checkout", root, folder], root);
  must("git", ["checkout", "--quiet", "--detach", commit], folder);
  for (const command of COMMANDS) must("sh", ["-c", command], folder, env);
  console.log(`built in ${folder} in ${((performance.now() - began) / 60_000).toFixed(1)} min`);
  return folder;
}

/** @param {string} folder */
function publish(folder) {
  rmSync(target, { recursive: true, force: true });
  cpSync(join(folder, "dist/release"), target, { recursive: true });
  const subjects = subjectsOf(readFileSync(join(target, "SHA256SUMS"), "utf8"));
  const on = { node: process.version, npm: said("npm", ["--version"]), platform: `${process.platform}-${process.arch}` };
  const lockFile = readFileSync(join(folder, "package-lock.json"));
  const statement = statementOf(subjects, { commit, lockFile, commands: COMMANDS, on });
  writeFileSync(join(target, "provenance.json"), `${JSON.stringify(statement, null, 2)}\n`);
  console.log(`dist/release is commit ${commit}${values.twice ? ", and two builds have the same bytes" : ""}.`);
}

/** Each file that only one build has, or that has other bytes. @param {string} one @param {string} other */
function differencesOf(one, other) {
  const names = [...new Set([one, other].flatMap((folder) => readdirSync(folder)))].sort();
  const hashIn = (/** @type {string} */ folder, /** @type {string} */ name) =>
    readdirSync(folder).includes(name) ? sha256Of(readFileSync(join(folder, name))) : "not there";
  return names
    .map((name) => ({ name, hashes: [hashIn(one, name), hashIn(other, name)] }))
    .filter(({ hashes: [a, b] }) => a !== b)
    .map(({ name, hashes }) => `${name} differs: ${hashes.join(" and ")}`);
}

/** @param {string} program @param {string[]} args @param {string} cwd @param {Record<string, string>} [env] */
function must(program, args, cwd, env = {}) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")} ended with ${status}`);
}

/** @param {string} program @param {string[]} args */
function said(program, args) {
  const { status, error, stdout } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")} ended with ${status}`);
  return stdout.trim();
}
