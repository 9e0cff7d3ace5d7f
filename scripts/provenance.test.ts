import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256Of, signRelease, statementOf, subjectsOf, verifyRelease } from "./provenance.mjs";

const scripts = fileURLToPath(new URL(".", import.meta.url));
const COMMIT = "99a1df8054c1e6f1a0b9f1fd0d1a3e9f4fb1c001";
const FILES = { "countersign-9.9.9.tgz": "the archive", "sbom.cdx.json": "{}\n" };
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) process.stdout.write("signatures of releases: not checked with openssl, which is not installed\n");

describe("a signed release", () => {
  let folder: string;
  let keys: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-signed-"));
    keys = mkdtempSync(join(tmpdir(), "countersign-keys-"));
    writeKeys("release");
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    const sums = Object.entries(FILES).map(([name, text]) => `${sha256Of(Buffer.from(text))}  ${name}\n`);
    writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
    const build = { commit: COMMIT, lockFile: Buffer.from("{}"), commands: ["npm ci", "npm run build"], on: { node: "v20.20.2" } };
    writeFileSync(join(folder, "provenance.json"), JSON.stringify(statementOf(subjectsOf(sums.join("")), build)));
  });
  afterEach(() => {
    for (const one of [folder, keys]) rmSync(one, { recursive: true });
  });

  const writeKeys = (name: string, { privateKey, publicKey } = generateKeyPairSync("ed25519")) => {
    writeFileSync(join(keys, `${name}.key`), privateKey.export({ type: "pkcs8", format: "pem" }));
    writeFileSync(join(keys, `${name}.pub`), publicKey.export({ type: "spki", format: "pem" }));
  };
  const pem = (name: string) => readFileSync(join(keys, name), "utf8");
  const signIt = (key = "release") => signRelease(folder, pem(`${key}.key`));
  const verifyIt = (key = "release") => verifyRelease(folder, pem(`${key}.pub`));
  const change = (name: string, how: (text: string) => string) =>
    writeFileSync(join(folder, name), how(readFileSync(join(folder, name), "utf8")));

  test("verifies with the commands, which say from which commit it was built", () => {
    const run = (script: string, ...args: string[]) => spawnSync(process.execPath, [join(scripts, script), ...args], { encoding: "utf8" });
    expect(run("sign-release.mjs", "--key", join(keys, "release.key"), "--from", folder)).toMatchObject({ status: 0, stderr: "" });
    const { status, stdout, stderr } = run("verify-release.mjs", "--key", join(keys, "release.pub"), folder);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")).toEqual([...Object.keys(FILES).map((name) => `ok: ${name}`), `Built from commit ${COMMIT}.`, ""]);
    change("sbom.cdx.json", () => "[]\n");
    const refused = run("verify-release.mjs", "--key", join(keys, "release.pub"), folder);
    expect(refused).toMatchObject({ status: 1, stdout: "", stderr: "Not verified: sbom.cdx.json was changed since it was built\n" });
  });

  test("verifies also if only some of its files were downloaded", () => {
    signIt();
    rmSync(join(folder, "sbom.cdx.json"));
    expect(verifyIt()).toEqual({ names: ["countersign-9.9.9.tgz"], commit: COMMIT });
  });

  test("states the commit, the commands and every file, as in-toto and SLSA have it, and is the same when signed again", () => {
    const unsigned = readFileSync(join(folder, "provenance.json"));
    signIt();
    const signed = ["SHA256SUMS.sig", "provenance.intoto.jsonl"].map((name) => readFileSync(join(folder, name)).toString("base64"));
    const { payload } = JSON.parse(readFileSync(join(folder, "provenance.intoto.jsonl"), "utf8"));
    expect(JSON.parse(Buffer.from(payload, "base64").toString("utf8"))).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      predicateType: "https://slsa.dev/provenance/v1",
      subject: Object.entries(FILES).map(([name, text]) => ({ name, digest: { sha256: sha256Of(Buffer.from(text)) } })),
      predicate: {
        buildDefinition: {
          internalParameters: { commands: ["npm ci", "npm run build"] },
          resolvedDependencies: [{ name: "source", digest: { gitCommit: COMMIT } }, { name: "package-lock.json" }],
        },
        runDetails: { builder: { id: expect.stringMatching(/^urn:/) } },
      },
    });
    writeFileSync(join(folder, "provenance.json"), unsigned);
    signIt();
    expect(["SHA256SUMS.sig", "provenance.intoto.jsonl"].map((name) => readFileSync(join(folder, name)).toString("base64"))).toEqual(
      signed,
    );
  });

  test.runIf(hasOpenssl)("openssl verifies both signatures, by the commands of docs/releasing.md (needs openssl)", () => {
    signIt();
    const inFolder = (command: string) => spawnSync("bash", ["-c", command], { cwd: folder, encoding: "utf8" });
    const guide = readFileSync(join(scripts, "../docs/releasing.md"), "utf8");
    const commands = /```sh\n(# Verify[\s\S]*?)```/.exec(guide)?.[1] ?? expect.fail("docs/releasing.md has no commands that verify");
    const script = `set -e\n${commands.replaceAll("release.pub", join(keys, "release.pub"))}`;
    const { status, stdout, stderr } = inFolder(script);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.match(/Signature Verified Successfully/g)).toHaveLength(2);
    expect(stdout).toContain("countersign-9.9.9.tgz: OK");
    change("SHA256SUMS", (text) => text.replace("9.9.9", "9.9.8"));
    expect(inFolder(script).status).not.toBe(0);
  });

  test.each([
    ["a file", "countersign-9.9.9.tgz", (text: string) => `${text}!`, "countersign-9.9.9.tgz was changed since"],
    ["a hash", "SHA256SUMS", (text: string) => text.replace(/^./, (digit) => (digit === "0" ? "1" : "0")), "SHA256SUMS is not signed"],
    [
      "the statement",
      "provenance.intoto.jsonl",
      (text: string) => {
        const envelope = JSON.parse(text);
        const other = Buffer.from(envelope.payload, "base64").toString("utf8").replace(COMMIT, COMMIT.replace("9", "8"));
        return JSON.stringify({ ...envelope, payload: Buffer.from(other).toString("base64") });
      },
      "the statement is not signed",
    ],
  ])("is refused if %s was changed afterwards", (_what, name, how, says) => {
    signIt();
    change(name, how);
    expect(() => verifyIt()).toThrow(says);
  });

  test("is refused with another key, and if the statement is that of another release", () => {
    signIt();
    writeKeys("other");
    expect(() => verifyIt("other")).toThrow("not signed by this key");
    const statement = readFileSync(join(folder, "provenance.intoto.jsonl"));
    const sums = `${sha256Of(Buffer.from("{}\n"))}  sbom.cdx.json\n`;
    writeFileSync(join(folder, "SHA256SUMS"), sums);
    const build = { commit: COMMIT, lockFile: Buffer.from("{}"), commands: [], on: {} };
    writeFileSync(join(folder, "provenance.json"), JSON.stringify(statementOf(subjectsOf(sums), build)));
    signIt();
    writeFileSync(join(folder, "provenance.intoto.jsonl"), statement);
    expect(() => verifyIt()).toThrow("about other files");
  });

  test("nothing is signed that was changed since it was built, or with a key of another kind", () => {
    writeKeys("rsa", generateKeyPairSync("rsa", { modulusLength: 2048 }));
    expect(() => signIt("rsa")).toThrow("ed25519");
    change("sbom.cdx.json", () => "[]\n");
    expect(() => signIt()).toThrow("sbom.cdx.json was changed");
    change("SHA256SUMS", (text) => text.split("\n").slice(1).join("\n"));
    expect(() => signIt()).toThrow("about other files");
  });
});
