// The manual checks with openssl that VERIFY.md describes give the same results.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writePem } from "@countersign/evidence";
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
});
