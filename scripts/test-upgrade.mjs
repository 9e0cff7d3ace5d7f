// npm run test:upgrade [-- --from REF]: upgrades an installation of the previous release to this checkout while people use it, with one expand and
// one contract migration that exist in this test only. Exits with 0 if no request failed and nothing else was wrong; without a previous release
// with 1, because nothing was shown.
//   --from REF  any commit instead of the latest tag
// The previous release is built in a clean copy of its commit, which needs the package registry, and kept in node_modules/.cache/releases. This
// checkout is built as it is, with what is not committed.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cleanup, scratchFolder } from "../bench/harness.mjs";
import { upgrade, upgradeTable } from "../chaos/upgrade.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { from: { type: "string" } } });
const ref = values.from ?? latestTag();
if (ref === null) {
  console.error("no previous release: there is no tag v0.2.0 or later. To try another commit: npm run test:upgrade -- --from REF");
  process.exit(1);
}
const commit = gitSays(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
if (commit === null) {
  console.error(`${ref} is no commit of this repository.`);
  process.exit(2);
}

const end = cleanup();
let isEnding = false;
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.once(signal, () => {
    isEnding = true;
    void end.run().finally(() => process.exit(1));
  });
}
try {
  const previous = { name: `the version before (${ref})`, folder: builtRelease(commit) };
  const folder = await scratchFolder(end);
  const next = { name: "the new version", folder: nextRelease(join(folder, "next")) };
  const began = performance.now();
  const note = (/** @type {string} */ line) => console.error(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  const outcome = await upgrade({ end, folder, previous, next, note });
  console.log(upgradeTable(outcome));
  process.exitCode = outcome.found.length === 0 ? 0 : 1;
} finally {
  if (!isEnding) await end.run();
}

/** The latest tag of another commit, from 0.2.0 on; earlier versions need a stop. */
function latestTag() {
  const head = gitSays(["rev-parse", "HEAD"]);
  const tags = (gitSays(["tag", "--list", "v*", "--sort=-version:refname", "--merged", "HEAD"]) ?? "").split("\n");
  return tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag) && gitSays(["rev-parse", `${tag}^{commit}`]) !== head) ?? null;
}

/** @param {string[]} args */
function gitSays(args) {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

/** The folder of its release, made once. @param {string} of a commit */
function builtRelease(of) {
  const kept = join(root, "node_modules/.cache/releases", of);
  if (existsSync(kept)) return kept;
  const copy = mkdtempSync(join(tmpdir(), "countersign-previous-"));
  try {
    must("git", ["clone", "--quiet", "--no-hardlinks", root, copy], root);
    must("git", ["checkout", "--quiet", of], copy);
    must(process.execPath, ["scripts/prepare.mjs"], copy);
    must(process.execPath, ["scripts/pack-release.mjs", "--tree", join(copy, "release")], copy);
    mkdirSync(join(kept, ".."), { recursive: true });
    // In the same folder first: a half-copied release must not have the final name.
    must("cp", ["-a", join(copy, "release"), `${kept}.partial`], root);
    renameSync(`${kept}.partial`, kept);
    return kept;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * This checkout with two migrations more. The first locks the busiest table, and asks for a backfill of which a job of the product does the
 * work; the second takes away again what the first added, and says that the version before cannot run without it.
 * @param {string} folder
 */
function nextRelease(folder) {
  must(process.execPath, ["scripts/bundle.mjs"], root);
  must(process.execPath, ["scripts/pack-release.mjs", "--tree", folder], root);
  const migrations = join(folder, "server/migrations");
  const newest = Number((readdirSync(migrations).sort().at(-1) ?? "").slice(0, 4));
  const number = (/** @type {number} */ n) => String(newest + n).padStart(4, "0");
  writeFileSync(
    join(migrations, `${number(1)}-expand-of-the-upgrade-test.sql`),
    `-- phase: expand
-- mode: transaction
alter table envelopes add column of_the_upgrade_test text;
insert into backfills (name, org_id) select 'envelope-words', org_id from orgs
  on conflict (name, org_id) do update set done_at = null, cursor = '';
insert into outbox (task, payload, job_key) values ('db.backfill', '{}', 'db.backfill');
`,
  );
  writeFileSync(
    join(migrations, `${number(2)}-contract-of-the-upgrade-test.sql`),
    `-- phase: contract
-- mode: transaction
-- works-with: ${number(1)}
alter table envelopes drop column of_the_upgrade_test;
`,
  );
  chmodSync(folder, 0o755);
  return folder;
}

/** @param {string} program @param {string[]} args @param {string} cwd */
function must(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw error ?? new Error(`${program} ${args[0]} ended with ${status}`);
}
