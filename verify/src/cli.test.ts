import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readChain, writePem } from "@countersign/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asListOfTests, type Made, makeBundle } from "../test/make-bundle.ts";
import { runCli } from "./cli.ts";
import { unzipBundle } from "./read-bundle.ts";
import { type AnyFacts, milestonesUnder } from "./rules-of.ts";
import { verifyCommand } from "./verify-command.ts";

const current = fileURLToPath(new URL("../fixtures/current/", import.meta.url));

let made: Made;
let folder: string;
let zip: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "countersign-verify-"));
  made = await makeBundle({ timed: true });
  zip = join(folder, "bundle.zip");
  writeFileSync(zip, made.zip);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function run(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const code = await runCli(args, (more) => {
    text += more;
  });
  return { code, text };
}

function unpacked(name: string): string {
  const path = join(folder, name);
  for (const file of unzipBundle(made.zip)) {
    mkdirSync(dirname(join(path, file.name)), { recursive: true });
    writeFileSync(join(path, file.name), file.bytes);
  }
  return path;
}

test("a verified bundle prints one line per step and exits with 0", async () => {
  const { code, text } = await run(zip, "--root", made.root);
  expect(code).toBe(0);
  expect(text.split("\n").slice(0, 4)).toEqual([
    expect.stringMatching(/^ 1 container {4}ok {5}23 files, \d+ bytes$/),
    " 2 manifest     ok     21 files as listed, signed 2026-03-05T04:30:00.000Z",
    ` 3 trust        ok     root ${made.root}, as pinned with --root`,
    " 4 chain        ok     23 entries of env_a",
  ]);
  expect(text).toMatch(/\nVERIFIED\n$/);
});

test("a test record exits with 5, with --allow-test as another one, and its last line says what it is", async () => {
  const test = await makeBundle({}, { keys: asListOfTests });
  const path = join(folder, "test.zip");
  writeFileSync(path, test.zip);
  expect(await run(path, "--root", test.root)).toMatchObject({ code: 5, text: expect.stringMatching(/\nTEST RECORD\n$/) });
  expect(await run(path)).toMatchObject({ code: 5, text: expect.stringMatching(/\nTEST RECORD\n$/) });
  const accepted = await run(path, "--root", test.root, "--allow-test");
  expect(accepted).toMatchObject({ code: 0, text: expect.stringMatching(/\nVERIFIED, TEST RECORD\n$/) });
  expect((await run(path, "--allow-test")).code).toBe(3);
  expect(JSON.parse((await run(path, "--json")).text)).toMatchObject({ outcome: "TEST RECORD", test: true });
});

test("without --root the exit code is 3, and --root accepts the form that certificate viewers show", async () => {
  expect(await run(zip)).toMatchObject({ code: 3, text: expect.stringMatching(/\nCONSISTENT, SIGNER NOT PINNED\n$/) });
  const shown = (made.root.toUpperCase().match(/../g) ?? []).join(":");
  expect(await run(zip, "--root", shown)).toMatchObject({ code: 0 });
});

test("a folder is read like a zip file, and links in it are not followed", async () => {
  const path = unpacked("as-folder");
  expect(await run(path, "--root", made.root)).toMatchObject({ code: 0 });
  symlinkSync(zip, join(path, "texts/terms-linked.md"));
  expect(await run(path, "--root", made.root)).toMatchObject({
    code: 1,
    text: expect.stringContaining(" 1 container    FAILED texts/terms-linked.md: is neither a file nor a folder"),
  });
});

test("a failure names the step, the file and the entry, and exits with 1", async () => {
  const path = unpacked("altered");
  writeFileSync(join(path, "facts.json"), "{}");
  const { code, text } = await run(path, "--root", made.root);
  expect(code).toBe(1);
  expect(text).toMatch(/ 2 manifest {5}FAILED facts.json: has 2 bytes, but the manifest says \d+\n\nFAILED\n$/);
});

test("--json prints the report as JSON", async () => {
  const { code, text } = await run(zip, "--root", made.root, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(text)).toMatchObject({ outcome: "VERIFIED", steps: { length: 10 } });
});

test("--policy overrides the algorithms of this release", async () => {
  const path = join(folder, "policy.json");
  const withPolicy = (algorithms: object) => {
    writeFileSync(path, JSON.stringify({ type: "countersign/algorithms/1", algorithms }));
    return run(zip, "--root", made.root, "--policy", path);
  };
  expect(await withPolicy({})).toEqual(await run(zip, "--root", made.root));
  expect(await withPolicy({ "sha-256": "verify_only" })).toMatchObject({
    code: 0,
    text: expect.stringContaining("\nThe policy accepts sha-256 for existing records only.\n"),
  });
  expect(await withPolicy({ "ecdsa-p256": "refused" })).toMatchObject({
    code: 1,
    text: expect.stringContaining("trust/keys.json: relies on ecdsa-p256, which the policy refuses"),
  });
  expect(await withPolicy({ "sha-256": "weak" })).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^--policy the status of sha-256 must be one of: accepted, verify_only, refused\n/),
  });
});

test("--tsa-ca replaces the time-stamp authorities that the installation lists", async () => {
  const own = join(folder, "own.pem");
  writeFileSync(own, writePem([made.tsa_root as Uint8Array]));
  expect(await run(zip, "--root", made.root, "--tsa-ca", own)).toMatchObject({ code: 0, text: expect.not.stringContaining("--tsa-ca") });
  writeFileSync(own, writePem([made.parts.trust.root]));
  expect(await run(zip, "--root", made.root, "--tsa-ca", own)).toMatchObject({
    code: 1,
    text: expect.stringContaining(" 6 time         FAILED checkpoints/vaulted.tst"),
  });
});

test.each([
  [[]],
  [["verify"]],
  [["inspect"]],
  [["a", "b"]],
  [["inspect", "a", "--root", "9f2c"]],
  [["a", "--root", "9f2c"]],
  [["a", "--what"]],
  [["a", "--max-age", "24"]],
  [["a", "--max-age", "0h"]],
  [["a", "--as-of", "yesterday"]],
  [["a", "--as-of", "2026-03-05T12:00:00"]],
  [["no-such-file.zip"]],
  [["inspect", "no-such-file.zip"]],
  [["a", "--tsa-ca", "no-such-file.pem"]],
])("wrong usage exits with 2: %j", async (args) => {
  expect(await run(...args)).toMatchObject({ code: 2 });
});

test("verify is the default command, and has a name", async () => {
  expect(await run("verify", zip, "--root", made.root)).toEqual(await run(zip, "--root", made.root));
});

test("--help lists the commands and exits, --version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(await run("--version")).toEqual({ code: 0, text: `${version}\n` });
  const { code, text } = await run("--help");
  expect(code).toBe(0);
  for (const part of ["verify ", "inspect ", "--root", "--max-age", "--as-of", "4 TOO OLD"]) expect(text).toContain(part);
  expect(await run("inspect", "--help")).toMatchObject({ code: 0, text: expect.stringMatching(/^countersign-verify inspect/) });
});

describe("--max-age", () => {
  // The made bundle is of 2026-03-05T04:30.
  const at = (now: string, ...args: string[]) => {
    let text = "";
    const command = verifyCommand(() => new Date(now));
    return command.run(args, (more) => (text += more)).then((code) => ({ code, text }));
  };

  test("accepts a bundle of that age, and says that a bundle of the first form is dated by its creation", async () => {
    const { code, text } = await at("2026-03-06T04:30:00.000Z", zip, "--root", made.root, "--max-age", "24h");
    expect(code).toBe(0);
    expect(text).toContain('This bundle has no "as of"; its age counts from 2026-03-05T04:30:00.000Z, when it was created.');
    expect(text).toMatch(/\nVERIFIED\n$/);
  });

  test("refuses an older one with TOO OLD and exit code 4", async () => {
    for (const age of ["1d", "24h", "1440m", "86400s"]) {
      const { code, text } = await at("2026-03-06T04:30:00.001Z", zip, "--root", made.root, "--max-age", age);
      expect([code, text.split("\n").at(-2)]).toEqual([4, "TOO OLD"]);
      expect(text).toContain(`is more than ${age} before`.replace("is ", "which is "));
    }
    const { code, text } = await at("2026-03-06T04:30:00.001Z", zip, "--root", made.root, "--max-age", "1d", "--json");
    expect([code, JSON.parse(text).outcome]).toEqual([4, "TOO OLD"]);
  });

  test("does not hide that the root is not pinned, or that the bundle failed", async () => {
    expect(await at("2027-01-01T00:00:00.000Z", zip, "--max-age", "1d")).toMatchObject({ code: 3 });
    const path = unpacked("old-and-altered");
    writeFileSync(join(path, "facts.json"), "{}");
    expect(await at("2027-01-01T00:00:00.000Z", path, "--root", made.root, "--max-age", "1d")).toMatchObject({ code: 1 });
  });
});

describe("--as-of", () => {
  const says = async (at: string) => {
    const { code, text } = await run(zip, "--root", made.root, "--as-of", at);
    return [code, text.slice(text.indexOf("As of ")).split("\n").slice(0, 3)];
  };

  test("replays the registers up to that time", async () => {
    expect(await says("2026-03-01")).toEqual([
      0,
      ["As of 2026-03-01T00:00:00.000Z, after 0 of 23 entries:", "No custodian: the document was not in the vault.", "No secured party."],
    ]);
    expect(await says("2026-03-05T04:30:00Z")).toEqual([
      0,
      [
        "As of 2026-03-05T04:30:00.000Z, after 23 of 23 entries:",
        "Custodian usr_sam (cp_1).",
        expect.stringMatching(/^Secured party .+, recorded by entry \d+\.$/),
      ],
    ]);
  });

  test("later than the bundle is wrong usage", async () => {
    const { code, text } = await run(zip, "--root", made.root, "--as-of", "2026-03-05T04:30:01Z");
    expect(code).toBe(2);
    expect(text).toContain("The bundle is as of 2026-03-05T04:30:00.000Z and says nothing about 2026-03-05T04:30:01.000Z.");
  });
});

describe("a bundle of a copy that left the vault", () => {
  const exported = (data: object) => ({
    later: [{ type: "vault.exported", actor: { kind: "user", id: "usr_sam" }, data: { permission_id: "cp_1", ...data } }],
  });
  const saved = async (name: string, ...how: Parameters<typeof makeBundle>) => {
    const path = join(folder, name);
    writeFileSync(path, (await makeBundle(...how)).zip);
    return path;
  };

  test.each(["evidence", "export"] as const)("(%s, the first form) says so in its last line, and exits with 0", async (kind) => {
    const path = await saved(
      `${kind}-left.zip`,
      { kind },
      exported({ recipient: { name: "Second\u001b[2J\nExample Bank", email: "x@example.com" } }),
    );
    const { code, text } = await run(path, "--root", made.root);
    expect(code).toBe(0);
    expect(text).toMatch(/\nVERIFIED, COPY LEFT THIS VAULT on 2026-03-05 for Second\ufffd\[2J\ufffdExample Bank\n$/);
    const read = JSON.parse((await run(path, "--root", made.root, "--json")).text);
    expect([read.outcome, read.left]).toEqual([
      "VERIFIED",
      { at: expect.stringMatching(/^2026-03-05T/), for: "Second\ufffd[2J\ufffdExample Bank", entry: 24, on_paper: false },
    ]);
  });

  test("names no recipient that the record does not name, and does not hide that the root is not pinned or the bundle too old", async () => {
    const path = await saved("left-for-unknown.zip", {}, exported({}));
    expect(await run(path, "--root", made.root)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/\nVERIFIED, COPY LEFT THIS VAULT on 2026-03-05\n$/),
    });
    const note = "The authoritative copy left this vault on 2026-03-05 (entry 24).\n";
    expect(await run(path)).toMatchObject({ code: 3, text: expect.stringContaining(`${note}\nCONSISTENT, SIGNER NOT PINNED\n`) });
    const old = await run(path, "--root", made.root, "--max-age", "1s");
    expect([old.code, old.text]).toEqual([4, expect.stringMatching(/\nTOO OLD\n$/)]);
    expect(old.text).toContain(note);
  });

  test("(the second form, rules 2) has standing left, and --as-of replays the registers with the rules of its facts", async () => {
    const { left, root } = JSON.parse(readFileSync(join(current, "bundle.json"), "utf8")) as { left: string; root: string };
    const path = join(current, left);
    const { code, text } = await run(path, "--root", root);
    expect([code, text]).toEqual([0, expect.stringMatching(/\nVERIFIED, COPY LEFT THIS VAULT on 2026-11-17 for Second Example Bank\n$/)]);
    expect(text).toMatch(/ 9 evaluation {3}ok {5}score 75, NOT PASSED, 2 of 8 requirements missing, standing left, /);
    const bytes = unzipBundle(readFileSync(path)).find(({ name }) => name === "chain.jsonl")?.bytes ?? new Uint8Array();
    const chain = readChain(bytes);
    const links = "links" in chain ? chain.links : [];
    const [stored, gone] = ["assignment.recorded", "vault.exported"].map((type) => links.find(({ entry }) => entry.type === type)?.entry);
    const asOf = async (at = "") => {
      const said = (await run(path, "--root", root, "--as-of", at)).text;
      return said.slice(said.indexOf("As of ")).split("\n").slice(0, 3);
    };
    expect(await asOf(stored?.at)).toEqual([
      `As of ${stored?.at}, after ${stored?.seq} of ${links.length} entries:`,
      expect.stringMatching(/^Custodian usr_\w+ \(cp_\w+\)\.$/),
      `Secured party First Example Bank, N.A., recorded by entry ${stored?.seq}.`,
    ]);
    expect((await asOf(gone?.at))[1]).toBe("No custodian: the copy had left the vault.");
    const said = (type: "countersign/facts/1" | "countersign/facts/2") =>
      milestonesUnder({ type } as AnyFacts, links).find((milestone) => milestone.type === "envelope.sent")?.said;
    expect(said("countersign/facts/2")).toHaveProperty("fields_sha256");
    expect(said("countersign/facts/1")).not.toHaveProperty("fields_sha256");
  });
});

describe("inspect", () => {
  test("says what a bundle contains and judges nothing", async () => {
    const { code, text } = await run("inspect", zip);
    expect(code).toBe(0);
    for (const part of [
      /^Bundle +evidence of envelope env_a, organization org_a$/m,
      /^Created +2026-03-05T04:30:00.000Z$/m,
      /^Document +copy.pdf, \d+ bytes: a marked copy, not the authoritative one$/m,
      /^Certificate +revision 1, score 100, passed, evaluated /m,
      /^Audit trail +23 entries from 2026-03-05/m,
      /^ +18 {2}\S+ {2}vault.stored$/m,
      /^Log at vaulting .* with a token of a time-stamp authority$/m,
      new RegExp(`^Root +${made.root}$`, "m"),
      /^23 files:$/m,
      /^Nothing was checked. /m,
    ])
      expect(text).toMatch(part);
    expect(text).not.toMatch(/VERIFIED|CONSISTENT|FAILED/);
  });

  test("shows a forged or broken bundle too, and only refuses what cannot be unpacked", async () => {
    const path = unpacked("broken");
    writeFileSync(join(path, "manifest.json"), JSON.stringify({ kind: "evil\u001b[2J\nBundle  good" }));
    writeFileSync(join(path, "chain.jsonl"), "no JSON\n");
    writeFileSync(join(path, "trust/keys.json"), "[");
    const { code, text } = await run("inspect", path);
    expect(code).toBe(0);
    expect(text).toContain("Bundle           evil\ufffd[2J\ufffdBundle  good of envelope (missing or unreadable)");
    writeFileSync(join(folder, "cut.zip"), made.zip.subarray(0, -1));
    expect(await run("inspect", join(folder, "cut.zip"))).toMatchObject({ code: 1, text: expect.stringContaining("the zip file: ") });
  });
});

test("the command-line program runs", () => {
  const bin = fileURLToPath(new URL("../bin/countersign-verify.js", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [bin, zip, "--root", made.root], { encoding: "utf8" });
  expect(stdout).toMatch(/\nVERIFIED\n$/);
  expect(status).toBe(0);
});
