import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { nextEntry } from "./chain.ts";
import {
  blockStart,
  hashOfRecord,
  isRecordOf,
  LEAVES_PER_BLOCK,
  readLogRecord,
  recordObject,
  rehashOfData,
  rehashOfEntry,
  rootBySha512,
} from "./log-record.ts";

const at = "2026-01-02T03:04:05.678Z";
const sha512 = (...parts: (string | Uint8Array)[]) => parts.reduce((hash, part) => hash.update(part), createHash("sha512")).digest();

describe("a log record", () => {
  const token = randomBytes(100);
  const { bytes, hash } = recordObject(token, { kind: "token", tree_size: 7, at });

  test("is canonical JSON that names an object by two hashes; its own hash is the leaf's", () => {
    const record = {
      type: "countersign/log-record/1",
      kind: "token",
      sha256: createHash("sha256").update(token).digest("hex"),
      sha512: sha512(token).toString("hex"),
      tree_size: 7,
      at,
    };
    expect(readLogRecord(bytes)).toEqual(record);
    expect(hash).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(hashOfRecord(bytes)).toBe(hash);
    expect(isRecordOf(readLogRecord(bytes) ?? expect.fail("unreadable"), token)).toBe(true);
    expect(isRecordOf(readLogRecord(bytes) ?? expect.fail("unreadable"), randomBytes(100))).toBe(false);
  });

  test("with a changed byte is unreadable or another record", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (place, mask) => {
        const other = Uint8Array.from(bytes);
        other[place] = (other[place] ?? 0) ^ mask;
        expect(hashOfRecord(other)).not.toBe(hash);
        const read = readLogRecord(other);
        expect(read === null || JSON.stringify(read) !== JSON.stringify(readLogRecord(bytes))).toBe(true);
      }),
    );
  });

  test.each([
    ["an unknown kind", { kind: "letter" }],
    ["a negative size", { tree_size: -1 }],
    ["a short hash", { sha512: "00" }],
    ["another time format", { at: "2026-01-02" }],
    ["one more member", { more: 1 }],
  ])("with %s is not read", (_, change) => {
    const changed = { ...readLogRecord(bytes), ...change };
    const sorted = Object.fromEntries(Object.entries(changed).sort(([a], [b]) => (a < b ? -1 : 1)));
    expect(readLogRecord(Buffer.from(JSON.stringify(sorted)))).toBeNull();
  });
});

describe("the SHA-512 tree", () => {
  /** RFC 9162, 2.1.1, literally, with SHA-512. */
  const literal = (rehashes: readonly string[]): Buffer => {
    if (rehashes.length === 1) return sha512("\u0000", Buffer.from(rehashes[0] ?? "", "hex"));
    let split = 1;
    while (split * 2 < rehashes.length) split *= 2;
    return sha512("\u0001", literal(rehashes.slice(0, split)), literal(rehashes.slice(split)));
  };

  test("has the root that RFC 9162 defines, for every size", () => {
    const all = Array.from({ length: 70 }, (_, n) => sha512(`leaf ${n}`).toString("hex"));
    for (let size = 1; size <= all.length; size++) {
      expect(rootBySha512(all.slice(0, size)), `${size} leaves`).toBe(literal(all.slice(0, size)).toString("hex"));
    }
    expect(() => rootBySha512([])).toThrow(RangeError);
  });

  test("blocks begin at multiples of 65,536", () => {
    expect([1, LEAVES_PER_BLOCK, LEAVES_PER_BLOCK + 1, 3 * LEAVES_PER_BLOCK].map(blockStart)).toEqual([
      0,
      0,
      LEAVES_PER_BLOCK,
      2 * LEAVES_PER_BLOCK,
    ]);
  });

  test("what stands for an entry binds the entry and its data", () => {
    const act = { org_id: "org_1", subject: "env_1", type: "envelope.created", at, actor: { kind: "system", id: "system" } };
    const one = nextEntry(null, { ...act, data: { a: 1 }, salt: new Uint8Array(32) });
    const other = nextEntry(null, { ...act, data: { a: 2 }, salt: new Uint8Array(32) });
    const of = ({ entry, data }: typeof one) => rehashOfEntry(entry, rehashOfData(data));
    expect(of(one)).toMatch(/^[0-9a-f]{128}$/);
    expect(of(one)).toBe(of(one));
    expect(of(one)).not.toBe(of(other));
    expect(rehashOfEntry(one.entry, rehashOfData(other.data))).not.toBe(of(one));
    expect(rehashOfEntry(one.entry, null)).not.toBe(of(one));
  });
});
