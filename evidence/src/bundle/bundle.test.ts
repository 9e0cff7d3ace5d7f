import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeRoot } from "../../../pdf/fixtures/certificates.ts";
import { makeRecord } from "../../fixtures/record.ts";
import { canonicalize } from "../canonical.ts";
import { keyIdOf } from "../checkpoint.ts";
import { readChain, writeChain } from "./chain-lines.ts";
import { manifestFault, manifestOf, readManifest, sha256 } from "./manifest.ts";
import { isBundleName, namesFault, requiredNames } from "./names.ts";
import { readProofs } from "./proofs.ts";
import {
  isSignedByRoot,
  keyAt,
  readPem,
  readTrustKeys,
  recordsKeyAt,
  signTrustKeys,
  type TrustKeys,
  type TrustKeys2,
  writePem,
} from "./trust-keys.ts";

const bytes = (value: unknown): Buffer => Buffer.from(canonicalize(value));
const hash = sha256(Buffer.from("hash"));

describe("names", () => {
  test("only the names of bundle files are accepted", () => {
    for (const name of ["copy.pdf", "texts/disclosure-2026-01.en.md", "texts/intent-2026-01.en.txt", "evidence/supplied.pdf"])
      expect(isBundleName(name)).toBe(true);
    for (const name of [
      "texts/other-1.md",
      "texts/terms-1.html",
      "evidence/supplied.exe",
      "evidence/x.pdf",
      "manifest.JSON",
      "../manifest.json",
    ]) {
      expect(isBundleName(name)).toBe(false);
    }
    expect(namesFault([...requiredNames, "copy.pdf"])).toBeNull();
    expect(namesFault([...requiredNames])).toMatchObject({ name: "copy.pdf" });
    expect(namesFault([...requiredNames, "copy.pdf", "evidence/supplied.pdf", "evidence/supplied.png"])).toMatchObject({
      name: "evidence/",
    });
    expect(namesFault([...requiredNames, "copy.pdf", "trust/tsa.pem"])).toMatchObject({ name: "checkpoints/vaulted.tst" });
  });
});

describe("the manifest", () => {
  const files = [
    { name: "b", bytes: Buffer.from("two") },
    { name: "a", bytes: Buffer.from("one") },
  ];
  const about = { kind: "export", org_id: "org_a", envelope_id: "env_a", created_at: "2026-01-02T03:04:05.678Z", key_id: hash } as const;
  const manifest = manifestOf(about, [...files, { name: "manifest.json", bytes: Buffer.from("") }]);

  test("lists every other file by name and is parsed from canonical bytes only", () => {
    expect(manifest.files.map(({ name, size }) => [name, size])).toEqual([
      ["a", 3],
      ["b", 3],
    ]);
    expect(readManifest(bytes(manifest))).toEqual(manifest);
    expect(readManifest(Buffer.from(JSON.stringify(manifest)))).toBeNull();
    for (const change of [{ kind: "toString" }, { more: 1 }, { created_at: "now" }, { files: [{ name: "a" }] }, { key_id: "a" }]) {
      expect(readManifest(bytes({ ...manifest, ...change }))).toBeNull();
    }
  });

  test("reports files that differ, are not listed or are missing", () => {
    expect(manifestFault(manifest, files)).toBeNull();
    expect(manifestFault(manifest, files.slice(1))).toEqual({ name: "b", reason: "is listed but missing" });
    expect(manifestFault(manifest, [...files, { name: "c", bytes: new Uint8Array() }])).toEqual({
      name: "c",
      reason: "is not in the manifest",
    });
    expect(manifestFault(manifest, [files[0] as (typeof files)[0], { name: "a", bytes: Buffer.from("onE") }])).toMatchObject({
      name: "a",
      reason: expect.stringMatching(/^has the hash/),
    });
    const twice = { ...manifest, files: [...manifest.files, ...manifest.files] };
    expect(manifestFault(twice, files)).toMatchObject({ name: "a", reason: "is listed twice" });
  });
});

describe("the keys", async () => {
  const root = await makeRoot();
  const certificate = new X509Certificate(root.certificate);
  const spki = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" });
  const keys: TrustKeys = {
    type: "countersign/keys/1",
    root_sha256: sha256(root.certificate),
    issued_at: "2026-01-02T03:04:05.678Z",
    records: [
      {
        key_id: keyIdOf(spki),
        public_key: spki.toString("hex"),
        not_before: "2026-01-01T00:00:00.000Z",
        not_after: "2026-02-01T00:00:00.000Z",
      },
    ],
    seals: [{ certificate_sha256: hash, not_before: "2026-01-01T00:00:00.000Z", not_after: "2029-01-01T00:00:00.000Z", revoked_at: null }],
    tsa_roots: [hash],
  };

  test("are signed by the root in only one form: 64 bytes with the low s", () => {
    for (let n = 0; n < 20; n++) {
      const signed = signTrustKeys(keys, root.key);
      expect(signed.signature).toHaveLength(64);
      expect((signed.signature[32] ?? 255) < 0x80).toBe(true);
      expect(isSignedByRoot(signed, certificate)).toBe(true);
    }
  });

  test("are rejected if any bit of the list or the signature changes", () => {
    const signed = signTrustKeys(keys, root.key);
    for (let bit = 0; bit < 512; bit++)
      expect(isSignedByRoot({ ...signed, signature: flipped(signed.signature, bit) }, certificate)).toBe(false);
    for (let bit = 0; bit < signed.bytes.length * 8; bit += 11)
      expect(isSignedByRoot({ ...signed, bytes: flipped(signed.bytes, bit) }, certificate)).toBe(false);
  });

  test("are parsed from canonical bytes, and every key ID must match its key", () => {
    expect(readTrustKeys(bytes(keys))).toEqual(keys);
    const record = keys.records[0] as TrustKeys["records"][number];
    for (const change of [
      { records: [{ ...record, key_id: hash }] },
      { records: [{ ...record, public_key: "00", key_id: keyIdOf(Buffer.from("00", "hex")) }] },
      { records: [{ ...record, not_after: undefined }] },
      { seals: [{ certificate_sha256: hash }] },
      { tsa_roots: ["a"] },
      { tsa_roots: {} },
      { more: 1 },
    ]) {
      expect(readTrustKeys(Buffer.from(canonicalize(JSON.parse(JSON.stringify({ ...keys, ...change })))))).toBeNull();
    }
  });

  test("are used only while they are valid", () => {
    const { key_id } = keys.records[0] as TrustKeys["records"][number];
    expect(recordsKeyAt(keys, key_id, "2026-01-15T00:00:00.000Z")).toEqual(spki);
    for (const at of ["2025-12-31T23:59:59.999Z", "2026-02-01T00:00:00.001Z"]) expect(recordsKeyAt(keys, key_id, at)).toBeNull();
    expect(recordsKeyAt(keys, hash, "2026-01-15T00:00:00.000Z")).toBeNull();
  });

  describe("with generations", () => {
    const open = { not_after: null, revoked_at: null, invalid_from: null, reason: null };
    const vault = generateKeyPairSync("x25519").publicKey.export({ type: "spki", format: "der" });
    const generation = (n: number, key: Buffer, algorithm = "EdDSA") => ({
      generation: n,
      key_id: keyIdOf(key),
      algorithm,
      public_key: key.toString("hex"),
      not_before: "2026-01-01T00:00:00.000Z",
      ...open,
    });
    const other = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" });
    const ended = { ...generation(1, spki), not_after: "2026-02-01T00:00:00.000Z", reason: "rotated" };
    const root_sha256 = sha256(root.certificate);
    const all: TrustKeys2 = {
      type: "countersign/keys/2",
      log_id: root_sha256,
      root_sha256,
      issued_at: "2026-01-02T03:04:05.678Z",
      roots: [{ generation: 1, certificate_sha256: root_sha256, algorithm: "ES256", not_before: "2026-01-01T00:00:00.000Z", ...open }],
      records: [ended, { ...generation(2, other), not_before: "2026-02-01T00:00:00.000Z" }],
      log: [generation(1, other)],
      vault: [generation(1, vault, "X25519")],
      seals: [],
      tsa_roots: [],
    };

    test("are parsed, and rejected if a key is of another kind, a revocation is incomplete, or another root signs", () => {
      expect(readTrustKeys(bytes(all))).toEqual(all);
      // The list of a test root, whose log another root names.
      const ofTests = { ...all, test: true, log_id: hash } as const;
      expect(readTrustKeys(bytes(ofTests))).toEqual(ofTests);
      expect(readTrustKeys(bytes({ ...all, test: false as never }))).toBeNull();
      for (const change of [
        { log_id: hash },
        { root_sha256: hash },
        { roots: [] },
        { vault: [generation(1, other, "X25519")] },
        { log: [generation(1, vault)] },
        { records: [{ ...ended, generation: 0 }] },
        { records: [{ ...ended, revoked_at: "2026-02-01T00:00:00.000Z" }] },
        { records: [{ ...ended, more: 1 }] },
        { type: "countersign/keys/1" },
        { type: "countersign/keys/3" },
        { more: 1 },
      ]) {
        expect(readTrustKeys(Buffer.from(canonicalize(JSON.parse(JSON.stringify({ ...all, ...change })))))).toBeNull();
      }
    });

    test("each is used in its own interval only, and not once it is invalid", () => {
      const [before, after] = ["2026-01-15T00:00:00.000Z", "2026-02-15T00:00:00.000Z"];
      expect([recordsKeyAt(all, keyIdOf(spki), before), recordsKeyAt(all, keyIdOf(spki), after)]).toEqual([spki, null]);
      expect([recordsKeyAt(all, keyIdOf(other), before), recordsKeyAt(all, keyIdOf(other), after)]).toEqual([null, other]);
      const stolen = { ...generation(1, spki), revoked_at: after, invalid_from: before };
      expect(keyAt([stolen], keyIdOf(spki), "2026-01-14T00:00:00.000Z")).toEqual(spki);
      expect(keyAt([stolen], keyIdOf(spki), before)).toBeNull();
    });
  });

  test("have only one accepted PEM form", () => {
    const pem = writePem([root.certificate, root.certificate]);
    expect(readPem(Buffer.from(pem))?.map(({ raw }) => sha256(raw))).toEqual([keys.root_sha256, keys.root_sha256]);
    for (const other of ["", `${pem}\n`, ` ${pem}`, pem.replace("\n", "\r\n"), pem.replaceAll("CERTIFICATE", "X509")]) {
      expect(readPem(Buffer.from(other))).toBeNull();
    }
  });
});

describe("chain and proofs", () => {
  test("a chain has one canonical, terminated line per entry", () => {
    const { links } = makeRecord({ source: "paper_upload" });
    const text = writeChain(links);
    expect(readChain(Buffer.from(text))).toEqual({ links });
    expect(readChain(Buffer.from(text.slice(0, -1)))).toEqual({ line: 8 });
    expect(readChain(Buffer.from(text.replace("\n", "\r\n")))).toEqual({ line: 1 });
    expect(readChain(Buffer.from(`${text}{}\n`))).toEqual({ line: 9 });
    expect(readChain(Buffer.from(`${text}\n`))).toEqual({ line: 9 });
    expect(readChain(new Uint8Array())).toEqual({ links: [] });
  });

  test("proofs are parsed from canonical bytes with exactly their members", () => {
    const proofs = { type: "countersign/proofs/1", inclusions: [{ seq: 1, index: 0, proof: [hash] }], consistency: [] };
    expect(readProofs(bytes(proofs))).toEqual(proofs);
    for (const change of [{ type: "other" }, { inclusions: [{ seq: 1 }] }, { consistency: ["a"] }, { more: 1 }])
      expect(readProofs(bytes({ ...proofs, ...change }))).toBeNull();
  });
});

function flipped(from: Uint8Array, bit: number): Buffer {
  const copy = Buffer.from(from);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}
