import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { httpSigner } from "../src/seals/http-signer.ts";
import { algorithmOf, isSignatureBy } from "../src/seals/signer.ts";
import { testFolder } from "./openssl.ts";

/** Takes the arguments of pkcs11-tool that the example uses. Its keys are made of their labels and stay in a file each. */
const STAND_IN = `#!${process.execPath}
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { createPrivateKey, createPublicKey, generateKeyPairSync, sign } = require("node:crypto");
const args = process.argv.slice(2);
const value = (name) => args[args.indexOf(name) + 1];
if (value("--module") !== "module.so" || value("--token-label") !== "token") process.exit(1);
const label = value("--label");
const file = process.env.KEYS + "/" + label + ".pem";
if (label.startsWith("missing-")) process.exit(1);
if (!existsSync(file)) {
  const { privateKey } = label.startsWith("root-") ? generateKeyPairSync("ec", { namedCurve: "P-256" }) : generateKeyPairSync("ed25519");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }));
}
const key = createPrivateKey(readFileSync(file));
if (args.includes("--read-object")) writeFileSync(value("--output-file"), createPublicKey(key).export({ type: "spki", format: "der" }));
else {
  if (value("--pin") !== "env:PKCS11_PIN" || process.env.PKCS11_PIN !== "1234" || value("--signature-format") !== "rs") process.exit(1);
  const input = readFileSync(value("--input-file"));
  const mechanism = value("--mechanism");
  if (mechanism !== "EDDSA" && mechanism !== "ECDSA-SHA256") process.exit(1);
  writeFileSync(value("--output-file"), mechanism === "EDDSA" ? sign(null, input, key) : sign("sha256", input, { key, dsaEncoding: "ieee-p1363" }));
}
`;

const folder = testFolder();
let server: ChildProcess;
let url: string;

beforeAll(async () => {
  folder.put("pkcs11-tool", STAND_IN);
  const tool = join(folder.path, "pkcs11-tool");
  chmodSync(tool, 0o755);
  const program = fileURLToPath(new URL("../../examples/signer-pkcs11/server.mjs", import.meta.url));
  const settings = { PKCS11_MODULE: "module.so", PKCS11_TOKEN: "token", PKCS11_PIN: "1234", SIGNER_TOKEN: "secret", PORT: "0" };
  server = spawn(process.execPath, [program], { env: { ...process.env, ...settings, PKCS11_TOOL: tool, KEYS: folder.path } });
  url = await new Promise((resolve, reject) => {
    server.stdout?.on("data", (chunk: Buffer) => resolve(chunk.toString().trim().replace("Signer on ", "")));
    server.on("exit", (code) => reject(new Error(`the example ended with ${code}`)));
  });
});
afterAll(() => server.kill());

test("the example signs with the keys of the token, in the form that the service expects", async () => {
  const signer = httpSigner({ url, token: "secret", ca: null });
  for (const [ref, algorithm] of [
    ["root-1", "ES256"],
    ["records-1", "EdDSA"],
  ] as const) {
    const public_key = await signer.publicKey(ref);
    expect(algorithmOf(public_key)).toBe(algorithm);
    const bytes = Buffer.from(`signed by ${ref}`);
    expect(isSignatureBy({ algorithm, public_key }, bytes, await signer.sign(ref, algorithm, bytes))).toBe(true);
  }
});

test("it refuses another token, a name that is none, and a key that is not there", async () => {
  await expect(httpSigner({ url, token: "other", ca: null }).publicKey("root-1")).rejects.toThrow("status 401");
  const signer = httpSigner({ url, token: "secret", ca: null });
  await expect(signer.publicKey("--help")).rejects.toThrow("the signer does not know this");
  await expect(signer.sign("../../x", "EdDSA", Buffer.from("x"))).rejects.toThrow("status 422");
  await expect(signer.sign("missing-1", "EdDSA", Buffer.from("x"))).rejects.toThrow("status 503");
});
