// Uses files made by openssl in the common formats. Skipped if openssl is not installed.

import { execFileSync, spawnSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Pkcs12Fault, readPkcs12 } from "./pkcs12.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).error === undefined;
const folder = mkdtempSync(join(tmpdir(), "countersign-p12-"));
beforeAll(() => void process.stdout.write(`writer of PKCS #12 files: ${hasOpenssl ? "openssl" : "none; absent: openssl"}\n`));
afterAll(() => rmSync(folder, { recursive: true }));

const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
const reasonOf = (file: Uint8Array, password: string): string => {
  try {
    readPkcs12(file, password);
  } catch (error) {
    return (error as Pkcs12Fault).reason;
  }
  return "none";
};

describe.skipIf(!hasOpenssl)("a file that openssl wrote", () => {
  const PASSWORD = "grün, 緑 & 🟢";
  beforeAll(() => {
    const name = ["-subj", "/CN=Bought seal", "-days", "30", "-nodes", "-keyout", "key.pem", "-out", "cert.pem"];
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", ...name);
  });
  const exported = (password: string, ...how: string[]): Uint8Array => {
    openssl("pkcs12", "-export", "-inkey", "key.pem", "-in", "cert.pem", "-out", "out.p12", "-passout", `pass:${password}`, ...how);
    return readFileSync(join(folder, "out.p12"));
  };

  test.each([
    ["AES-256 and SHA-256", []],
    ["AES-128 and SHA-512", ["-keypbe", "AES-128-CBC", "-certpbe", "AES-128-CBC", "-macalg", "sha512"]],
    ["triple DES and SHA-1", ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"]],
    ["no encryption of the certificate", ["-certpbe", "NONE"]],
    ["no encryption at all", ["-keypbe", "NONE", "-certpbe", "NONE"]],
    ["no checksum", ["-nomac"]],
  ])("with %s gives its key and certificate, with the right password only", (_, how) => {
    const file = exported(PASSWORD, ...how);
    const { keys, certificates } = readPkcs12(file, PASSWORD);
    expect([keys.length, certificates.length]).toEqual([1, 1]);
    const certificate = new X509Certificate(certificates[0] ?? "");
    expect(certificate.subject).toBe("CN=Bought seal");
    expect(certificate.checkPrivateKey(createPrivateKey({ key: Buffer.from(keys[0] ?? ""), format: "der", type: "pkcs8" }))).toBe(true);
    expect(["wrong_password", "unreadable"]).toContain(reasonOf(file, "another"));
  });

  test("with an empty password can be opened", () => {
    const file = exported("");
    expect(readPkcs12(file, "").keys).toHaveLength(1);
    expect(reasonOf(file, "x")).toBe("wrong_password");
  });

  test("truncated anywhere is unreadable", () => {
    const file = exported(PASSWORD);
    for (const length of [0, 1, 40, file.length - 1])
      expect(reasonOf(file.subarray(0, length), PASSWORD), String(length)).toBe("unreadable");
    const flipped = Uint8Array.from(file, (byte, at) => (at === 200 ? byte ^ 1 : byte));
    expect(reasonOf(flipped, PASSWORD)).toBe("wrong_password");
  });

  test("with an unsupported checksum or cipher says so", () => {
    expect(reasonOf(exported(PASSWORD, "-keypbe", "AES-256-OFB"), PASSWORD)).toBe("unsupported");
    expect(reasonOf(exported(PASSWORD, "-macalg", "SHA3-256"), PASSWORD)).toBe("unsupported");
  });
});

test("any other file is unreadable", () => {
  for (const text of ["", "-----BEGIN CERTIFICATE-----", "0\x03\x02\x01\x03"])
    expect(reasonOf(Buffer.from(text, "latin1"), "")).toBe("unreadable");
});
