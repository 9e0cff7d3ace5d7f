import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Holder } from "../../pdf/fixtures/certificates.ts";

const isInstalled = (command: string, flag: string): boolean => spawnSync(command, [flag]).error === undefined;

/** Independent programs that check our output. If one is not installed, its tests are skipped and the suite says so. */
export const installed = { openssl: isInstalled("openssl", "version"), pdfsig: isInstalled("pdfsig", "-v") };

export function sayInstalled(of: string): void {
  const named = (wanted: boolean): string =>
    Object.entries(installed)
      .filter(([, present]) => present === wanted)
      .map(([name]) => name)
      .join(", ") || "none";
  process.stdout.write(`programs that check ${of}: ${named(true)}; not installed: ${named(false)}\n`);
}

export const pem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString("base64")
    .replaceAll(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`;

/** A folder for one test file, removed afterwards. */
export interface Folder {
  readonly path: string;
  put(name: string, content: Uint8Array | string): string;
  get(name: string): Buffer;
  openssl(...args: string[]): string;
  /** creates a PKCS #12 file with this key, its certificate and those of its issuers; returns its path */
  p12(holder: Holder, issuers: readonly Holder[], password: string, ...how: string[]): string;
}

let made = 0;

export function testFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "countersign-openssl-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  const put = (name: string, content: Uint8Array | string): string => {
    writeFileSync(join(path, name), content);
    return join(path, name);
  };
  const openssl = (...args: string[]): string => execFileSync("openssl", args, { cwd: path, encoding: "utf8", stdio: "pipe" });
  return {
    path,
    put,
    openssl,
    get: (name) => readFileSync(join(path, name)),
    p12: (holder, issuers, password, ...how) => {
      put("key.pem", holder.key.export({ type: "pkcs8", format: "pem" }));
      put("chain.pem", [holder, ...issuers].map(({ certificate }) => pem(certificate)).join(""));
      const name = `${++made}.p12`;
      openssl("pkcs12", "-export", "-inkey", "key.pem", "-in", "chain.pem", "-out", name, "-passout", `pass:${password}`, ...how);
      return join(path, name);
    },
  };
}
