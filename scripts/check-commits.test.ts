import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultsOf } from "./commit-rules.mjs";

const scripts = fileURLToPath(new URL(".", import.meta.url));

describe("a commit message", () => {
  test.each([
    "Refuse a second void",
    "Console: show the key's last use",
    "Signing page: wait for the page before it is read",
    "Tests: hold the turnstile to its order and its bound",
    "Embed the vault in a partner's page",
    "Seed the demo with three customers",
    "Process uploads in the order of their arrival",
    "Focus the first field that is missing",
    "Ping idle connections",
    'Revert "Refuse a second void"',
    `${"Name ".padEnd(71, "x")}y`,
    "Add a check\n\nThe body says why; it may end with a period.",
  ])("is accepted: %s", (message) => {
    expect(faultsOf(message)).toEqual([]);
  });

  test.each([
    ["", /empty/],
    [`${"Name ".padEnd(72, "x")}y`, /73 characters; 72 are allowed/],
    ["Refuse a second void.", /period/],
    ["refuse a second void", /capital/],
    ["Refused a second void", /imperative \(Refused\)/],
    ["Refuses a second void", /imperative \(Refuses\)/],
    ["Refusing a second void", /imperative \(Refusing\)/],
    ["Console: showed the key", /imperative \(showed\)/],
    ["Guaranteed order", /imperative/],
    ["Made the list faster", /imperative \(Made\)/],
    ["A second void is refused", /imperative \(A\)/],
    ["Tests of the console", /imperative \(Tests\)/],
    ["PDF engine", /imperative \(PDF\)/],
    ["Refuse a second void; list voids", /two ideas/],
    ["Refuse a second void + list voids", /two ideas/],
    ["Refuse a second void\nbecause it is one too many", /second line/],
  ])("is refused: %s", (message, fault) => {
    expect(faultsOf(message)).toEqual([expect.stringMatching(fault)]);
  });

  test("has every fault named", () => {
    expect(faultsOf("added a check.\nand more")).toHaveLength(4);
  });
});

describe("the check of a clone", () => {
  let folder: string;
  let base: string;
  let clones = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-commits-"));
    git(folder, "init", "--quiet", "origin");
    commit("before the rule, this was fine.", "2026-01-01T00:00:00Z");
    commit("The last of the old ones", "2026-01-02T00:00:00Z");
    base = git(join(folder, "origin"), "rev-parse", "HEAD").trim();
    copyScripts(join(folder, "origin"), `${base} 2026-01-02T00:00:00Z`);
    git(join(folder, "origin"), "add", ".");
    commit("Add the check", "2026-01-03T00:00:00Z");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("looks at what came after the base commit, and at nothing older", () => {
    expect(check(clone())).toEqual({ status: 0, output: `commit messages: 1 after ${base.slice(0, 7)}, 0 faults\n` });
  });

  test("fails on a commit that breaks a rule, and names it", () => {
    const here = clone();
    git(here, "commit", "--quiet", "--allow-empty", "-m", "Added a file");
    const { status, output } = check(here);
    expect(status).toBe(1);
    expect(output).toContain("Added a file\n  the subject does not begin with a verb in the imperative (Added)");
  });

  test("goes by the time of a commit in a shallow clone", () => {
    const here = clone("--depth=1");
    expect(check(here)).toEqual({ status: 0, output: `commit messages: 1 in this shallow clone after ${base.slice(0, 7)}, 0 faults\n` });
    git(here, "commit", "--quiet", "--allow-empty", "-m", "Added a file");
    expect(check(here).status).toBe(1);
  });

  test("says that it did not look in a tree without git, also inside another checkout", () => {
    const unchecked = { status: 0, output: "commit messages: not checked, this is not a git checkout\n" };
    const exported = join(folder, "exported");
    copyScripts(exported, base);
    expect(check(exported)).toEqual(unchecked);
    const inside = join(clone(), "vendor/countersign");
    copyScripts(inside, base);
    expect(check(inside)).toEqual(unchecked);
  });

  test("says that it did not look where the base commit is unknown", () => {
    const here = clone();
    const unknown = "0123456789012345678901234567890123456789";
    writeFileSync(join(here, "scripts/commits-checked-since"), `${unknown} 2026-01-02T00:00:00Z\n`);
    expect(check(here)).toEqual({
      status: 0,
      output: "commit messages: not checked, commit 0123456, after which they are, is not in this clone\n",
    });
  });

  test("is the hook's, too: a bad message makes no commit, a fixup does", () => {
    const here = clone();
    git(here, "config", "core.hooksPath", "scripts/hooks");
    const attempt = (message: string) => spawnSync("git", ["commit", "--allow-empty", "-m", message], { cwd: here, env, encoding: "utf8" });
    const refused = attempt("Added a file");
    expect(refused.status).toBe(1);
    expect(refused.stdout + refused.stderr).toContain("commit message: the subject does not begin with a verb");
    expect(attempt("Add a file").status).toBe(0);
    expect(attempt("fixup! Add a file").status).toBe(0);
  });

  test("leaves out what git adds to the file of a message", () => {
    const file = join(folder, "COMMIT_EDITMSG");
    writeFileSync(file, `Add a file\n# On branch main\n# ${"-".repeat(24)} >8 ${"-".repeat(24)}\ndiff --git a/x b/x\n`);
    expect(spawnSync(process.execPath, [join(scripts, "check-commits.mjs"), file], { cwd: folder }).status).toBe(0);
  });

  function copyScripts(to: string, since: string) {
    mkdirSync(join(to, "scripts"), { recursive: true });
    for (const name of ["check-commits.mjs", "commit-rules.mjs", "hooks"])
      cpSync(join(scripts, name), join(to, "scripts", name), { recursive: true });
    writeFileSync(join(to, "scripts/commits-checked-since"), `${since}\n`);
  }

  function clone(...options: string[]) {
    const name = `clone-${++clones}`;
    git(folder, "clone", "--quiet", ...options, `file://${join(folder, "origin")}`, name);
    return join(folder, name);
  }

  function commit(message: string, date: string) {
    git(join(folder, "origin"), "-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--allow-empty", "-m", message, `--date=${date}`);
    // The committer's time is what the check of a shallow clone goes by.
    execFileSync("git", ["commit", "--quiet", "--amend", "--no-edit", "--allow-empty"], {
      cwd: join(folder, "origin"),
      env: { ...env, GIT_COMMITTER_DATE: date },
    });
  }
});

function check(cwd: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/check-commits.mjs"], { cwd, env, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

// Nobody's own settings of git, and no variables of a hook that this test may run in.
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

function git(cwd: string, ...args: string[]) {
  return execFileSync("git", args, { cwd, env, encoding: "utf8" });
}
