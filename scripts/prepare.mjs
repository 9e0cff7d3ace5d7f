// Installs missing packages and builds, before `npm start` and `npm test`. Uses only Node's own modules, because a fresh clone has nothing
// else.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.countersign-lock`;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Countersign needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const lock = createHash("sha256")
  .update(readFileSync(`${root}package-lock.json`))
  .digest("hex");
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
  console.error("Installing packages…");
  // Including development packages, whatever NODE_ENV says, because the compiler is one. Install scripts of packages are not needed, so
  // none run.
  npm(["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, lock);
  offerHook();
}
// Types are not checked here: `npm test` checks those of the tests together with those of the sources, and `npm run build` checks too.
run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "--build", "--noCheck"]);
await together([
  "scripts/pack-client.mjs",
  "scripts/bundle-cli.mjs",
  "scripts/bundle-mcp.mjs",
  "scripts/bundle.mjs",
  "scripts/bundle-verifier.mjs",
  "web/build.mjs",
  "site/build.mjs",
]);

/** Printed when packages were installed, in a terminal, in a checkout without hooks. The developer decides; this changes no git setting. */
function offerHook() {
  if (!process.stderr.isTTY || !existsSync(`${root}.git`)) return;
  if (spawnSync("git", ["config", "core.hooksPath"], { cwd: root }).status !== 1) return;
  console.error("To check commit messages as you write them: git config core.hooksPath scripts/hooks");
}

/** @param {string[]} args */
function npm(args) {
  // npm sets the path of its own program when it runs a script. Otherwise the `npm` on the path is used.
  const program = process.env.npm_execpath;
  if (program?.endsWith(".js")) run(process.execPath, [program, ...args]);
  else run("npm", args);
}

/** @param {string} program @param {string[]} args */
function run(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs scripts that do not need each other's results. @param {string[]} scripts */
async function together(scripts) {
  const statuses = scripts.map(
    (script) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [root + script], { cwd: root, stdio: "inherit" });
        child.on("error", reject);
        child.on("close", resolve);
      }),
  );
  const failed = (await Promise.all(statuses)).find((status) => status !== 0);
  if (failed !== undefined) process.exit(failed ?? 1);
}
