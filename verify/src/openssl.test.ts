// The manual checks with openssl that VERIFY.md describes give the same results.

import { spawnSync } from "node:child_process";
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writePem, writeVerifyMd } from "@countersign/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Made, makeBundle } from "../test/make-bundle.ts";
import { unzipBundle } from "./read-bundle.ts";

const openssl = (args: readonly string[], cwd?: string) => spawnSync("openssl", args, { cwd, maxBuffer: 1_048_576 });

describe.skipIf(openssl(["version"]).status !== 0)("openssl", () => {
  let folder: string;
  let made: Made;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "countersign-openssl-"));
    made = await makeBundle({ timed: true });
    for (const { name, bytes } of unzipBundle(made.zip)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test("computes the hash of the pinned root", () => {
    const { stdout } = openssl(["x509", "-in", "trust/root.crt", "-outform", "DER"], folder);
    expect(createHash("sha256").update(stdout).digest("hex")).toBe(made.root);
  });

  test.each(["manifest", "checkpoints/vaulted", "checkpoints/latest"])("verifies the signature of %s", (name) => {
    const { records } = JSON.parse(Buffer.from(made.parts.trust.keys.bytes).toString());
    writeFileSync(join(folder, "key.der"), Buffer.from(records[0].public_key, "hex"));
    const verify = [
      "pkeyutl",
      "-verify",
      "-pubin",
      "-keyform",
      "DER",
      "-inkey",
      "key.der",
      "-rawin",
      "-in",
      `${name}.json`,
      "-sigfile",
      `${name}.sig`,
    ];
    expect(openssl(verify, folder).stdout.toString()).toContain("Signature Verified Successfully");
  });

  test("verifies the time stamp of the checkpoint", () => {
    writeFileSync(join(folder, "roots.pem"), writePem([made.tsa_root as Uint8Array]));
    const verify = [
      "ts",
      "-verify",
      "-token_in",
      "-in",
      "checkpoints/vaulted.tst",
      "-data",
      "checkpoints/vaulted.json",
      "-CAfile",
      "roots.pem",
    ];
    const { stdout, stderr } = openssl(verify, folder);
    expect(`${stdout}${stderr}`).toContain("Verification: OK");
  });

  describe("with the commands of VERIFY.md of the second form", () => {
    const text = writeVerifyMd("0.2.0");
    // Indented by seven spaces: one command a line.
    const commands = [...text.matchAll(/^ {7}(\S.*)$/gm)].map(([, command = ""]) => command);
    const run = (command: string) => spawnSync("bash", ["-o", "pipefail", "-c", command], { cwd: folder, encoding: "utf8" });
    const having = (part: string): string => commands.find((command) => command.includes(part)) ?? "no such command";
    const hexOf = (key: KeyObject) => createPublicKey(key).export({ type: "spki", format: "der" }).toString("hex");

    test("the root, the key of the records, the manifest, a checkpoint and the time stamp", () => {
      expect(run(having("x509")).stdout).toContain(made.root);
      const { records } = JSON.parse(Buffer.from(made.parts.trust.keys.bytes).toString());
      expect(run(having("xxd").replace("<public_key>", records[0].public_key)).status).toBe(0);
      for (const part of ["-in manifest.json", "-in checkpoints/latest.json"])
        expect(run(having(part)).stdout).toBe("Signature Verified Successfully\n");
      writeFileSync(join(folder, "roots.pem"), writePem([made.tsa_root as Uint8Array]));
      const { stdout, stderr } = run(having("openssl ts"));
      expect(`${stdout}${stderr}`).toContain("Verification: OK");
    });

    test("an altered manifest is refused", () => {
      const manifest = readFileSync(join(folder, "manifest.json"));
      writeFileSync(join(folder, "manifest.json"), Buffer.concat([manifest, Buffer.from(" ")]));
      expect(run(having("-in manifest.json"))).toMatchObject({ status: 1, stdout: "Signature Verification Failure\n" });
      writeFileSync(join(folder, "manifest.json"), manifest);
    });

    test("a note with the log's signature and that of a witness", () => {
      const { privateKey } = generateKeyPairSync("ed25519");
      const signed = "log.example.com/log/9f2c\n42\nqWt1u0Cq3mGXHn1xmQ9bU9mYVgQ9c0mG3sL1f1p1c2E=\n";
      const line = (bytes: number, signature: Uint8Array) =>
        `— log.example.com/log/9f2c ${Buffer.concat([Buffer.alloc(bytes, 7), signature]).toString("base64")}\n`;
      const note = (text: string) => `${text}\n${line(4, sign(null, Buffer.from(signed), privateKey))}${line(12, Buffer.alloc(64))}`;
      expect(run(having("xxd").replace("<public_key>", hexOf(privateKey)).replace("records.pem", "log.pem")).status).toBe(0);
      const check = () => {
        for (const part of ["head -n 3", "sed -n 5p"]) expect(run(having(part)).status).toBe(0);
        return run(having("log.pem -rawin")).status;
      };
      writeFileSync(join(folder, "checkpoints/latest.note"), note(signed));
      expect(check()).toBe(0);
      writeFileSync(join(folder, "checkpoints/latest.note"), note(signed.replace("42", "43")));
      expect(check()).toBe(1);
    });
  });
});
