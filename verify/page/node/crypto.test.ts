// The browser's side of the cryptography gives the same answers as Node's, for good and for altered signatures.

import * as node from "node:crypto";
import { describe, expect, test } from "vitest";
import { issue, makeOrg } from "../../../pdf/fixtures/certificates.ts";
import { makeCertificate } from "../../test/openssl.ts";
import * as browser from "./crypto.ts";

const message = node.randomBytes(1000);
const spkiOf = (key: node.KeyObject): Buffer => node.createPublicKey(key).export({ type: "spki", format: "der" });
const theirs = (key: node.KeyObject) => browser.createPublicKey({ key: spkiOf(key), format: "der", type: "spki" });

function flipped(bytes: Uint8Array, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

describe("hashes", () => {
  test.each(["sha1", "sha224", "sha256", "sha384", "sha512"])("%s", (name) => {
    for (const size of [0, 1, 55, 56, 63, 64, 65, 127, 128, 1000]) {
      const bytes = message.subarray(0, size);
      const expected = node.createHash(name).update(bytes).update("é").digest("hex");
      expect(browser.createHash(name).update(bytes).update("é").digest("hex")).toBe(expected);
      expect(browser.createHash(name).update(bytes).update("é").digest()).toEqual(Buffer.from(expected, "hex"));
    }
  });

  test("an unknown hash is refused", () => {
    expect(() => browser.createHash("toString")).toThrow("unknown hash");
  });
});

const ec = (namedCurve: string) => node.generateKeyPairSync("ec", { namedCurve }).privateKey;
const rsa = node.generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
// One bit more than a whole number of bytes is the case that PSS treats differently.
const oddRsa = node.generateKeyPairSync("rsa", { modulusLength: 1025 }).privateKey;
const pss = { padding: node.constants.RSA_PKCS1_PSS_PADDING };

const schemes: readonly [name: string, key: node.KeyObject, hash: string | null, options: object][] = [
  ["Ed25519", node.generateKeyPairSync("ed25519").privateKey, null, {}],
  ["ECDSA P-256, DER", ec("P-256"), "sha256", { dsaEncoding: "der" }],
  ["ECDSA P-256, r and s", ec("P-256"), "sha256", { dsaEncoding: "ieee-p1363" }],
  ["ECDSA P-256 with a longer hash", ec("P-256"), "sha512", { dsaEncoding: "der" }],
  ["ECDSA P-384", ec("P-384"), "sha384", { dsaEncoding: "der" }],
  ["ECDSA P-384 with a shorter hash", ec("P-384"), "sha1", { dsaEncoding: "der" }],
  ["ECDSA P-521", ec("P-521"), "sha512", { dsaEncoding: "der" }],
  ["RSA, SHA-1", rsa, "sha1", { padding: node.constants.RSA_PKCS1_PADDING }],
  ["RSA, SHA-256", rsa, "sha256", { padding: node.constants.RSA_PKCS1_PADDING }],
  ["RSA, SHA-512", oddRsa, "sha512", { padding: node.constants.RSA_PKCS1_PADDING }],
  ["PSS, SHA-256, salt of 32 bytes", rsa, "sha256", { ...pss, saltLength: 32 }],
  ["PSS, SHA-1, salt of 20 bytes", rsa, "sha1", { ...pss, saltLength: 20 }],
  ["PSS without a salt", rsa, "sha384", { ...pss, saltLength: 0 }],
  ["PSS with a modulus of 1,025 bits", oddRsa, "sha256", { ...pss, saltLength: 32 }],
  [
    "PSS with a key for PSS only",
    node.generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).privateKey,
    "sha256",
    { ...pss, saltLength: 32 },
  ],
];

describe.each(schemes)("%s", (_, key, hash, options) => {
  const signature = node.sign(hash, message, { key, ...options });
  const verify = (data: Uint8Array, given: Uint8Array) => browser.verify(hash, data, { key: theirs(key), ...options }, given);

  test("is recognised, with the key's kind and size", () => {
    expect(verify(message, signature)).toBe(true);
    const own = node.createPublicKey(key);
    expect(theirs(key).asymmetricKeyType).toBe(own.asymmetricKeyType);
    expect(theirs(key).asymmetricKeyDetails).toEqual(
      Object.fromEntries(Object.entries(own.asymmetricKeyDetails ?? {}).filter(([name]) => ["namedCurve", "modulusLength"].includes(name))),
    );
    expect(theirs(key).export()).toEqual(spkiOf(key));
  });

  test("is refused with any of 12 flipped bits, over other bytes, and cut short", () => {
    for (let n = 0; n < 12; n++) {
      const altered = flipped(signature, node.randomInt(signature.length * 8));
      expect(verify(message, altered)).toBe(node.verify(hash, message, { key: node.createPublicKey(key), ...options }, altered));
    }
    expect(verify(flipped(message, 5), signature)).toBe(false);
    for (const length of [0, 1, signature.length - 1]) expect(verify(message, signature.subarray(0, length))).toBe(false);
  });
});

test("a signature made in parts is verified in parts", () => {
  const key = ec("P-256");
  const signature = node.sign("sha256", message, key);
  const verifier = browser.createVerify("sha256");
  verifier.update(message.subarray(0, 10)).update(message.subarray(10));
  expect(verifier.verify({ key: theirs(key), dsaEncoding: "der" }, signature)).toBe(true);
});

test("a key that agrees on secrets is recognised, and signs nothing", () => {
  const key = node.generateKeyPairSync("x25519").privateKey;
  expect(theirs(key).asymmetricKeyType).toBe("x25519");
  expect(browser.verify(null, Buffer.from("message"), { key: theirs(key) }, new Uint8Array(64))).toBe(false);
});

test("bytes that are not a key are refused, as Node refuses them", () => {
  const good = spkiOf(ec("P-256"));
  const short = Buffer.from(spkiOf(node.generateKeyPairSync("ed25519").privateKey)).subarray(0, -1);
  const offCurve = flipped(good, good.length * 8 - 1);
  for (const key of [Buffer.alloc(0), Buffer.from("key"), short, offCurve]) {
    expect(() => node.createPublicKey({ key, format: "der", type: "spki" })).toThrow();
    expect(() => browser.createPublicKey({ key, format: "der", type: "spki" })).toThrow();
  }
});

describe("certificates", () => {
  const seen = (each: node.X509Certificate | browser.X509Certificate) => ({
    subject: each.subject,
    issuer: each.issuer,
    serialNumber: each.serialNumber,
    validFrom: each.validFrom,
    validTo: each.validTo,
    fingerprint256: each.fingerprint256,
    ca: each.ca,
    raw: Buffer.from(each.raw),
    pem: each.toString(),
    key: each.publicKey.export({ type: "spki", format: "der" }),
  });

  test.each([
    ["P-256", [], '/C=DE/O=Zoë, Söhne + Co/OU=a=b/CN=\\\\ \\"<Root>;#'],
    ["RSA", ["-newkey", "rsa:2048"], "/CN=RSA root/emailAddress=root@example.com"],
    ["PSS", ["-newkey", "rsa:2048", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"], "/CN=PSS root/serialNumber=12"],
    ["Ed25519", ["-newkey", "ed25519"], "/CN=Ed25519 root"],
    ["P-384", ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-sha384"], "/CN= spaces /2.5.4.97=VATDE-1"],
  ])("a self-signed certificate with %s is read like by Node", (_, args, subject) => {
    const pem = makeCertificate(args, subject);
    const [own, other] = [new node.X509Certificate(pem), new browser.X509Certificate(pem)];
    expect(seen(other)).toEqual(seen(own));
    expect(other.verify(other.publicKey)).toBe(true);
    expect(other.checkIssued(other)).toBe(own.checkIssued(own));
    // The last byte is a part of the signature.
    const altered = new browser.X509Certificate(flipped(own.raw, own.raw.length * 8 - 3));
    expect(altered.verify(other.publicKey)).toBe(false);
  });

  test("a chain: who issued whom, and with which key", async () => {
    const { root, seal } = await makeOrg();
    const stranger = await makeOrg();
    const leaf = issue({ issuer: root, name: "Test leaf", extensions: [] });
    const all = [root, seal, stranger.root, stranger.seal, leaf].map(({ certificate }) => certificate);
    const [own, other] = [all.map((der) => new node.X509Certificate(der)), all.map((der) => new browser.X509Certificate(der))];
    expect(other.map(seen)).toEqual(own.map(seen));
    expect(other.map((a) => other.map((b) => [a.checkIssued(b), a.verify(b.publicKey)]))).toEqual(
      own.map((a) => own.map((b) => [a.checkIssued(b), a.verify(b.publicKey)])),
    );
  });

  test("bytes that are not a certificate are refused", async () => {
    const { root } = await makeOrg();
    for (const der of [Buffer.alloc(0), Buffer.from("x"), root.certificate.subarray(0, -1)]) {
      expect(() => new node.X509Certificate(der)).toThrow();
      expect(() => new browser.X509Certificate(der)).toThrow();
    }
  });
});
