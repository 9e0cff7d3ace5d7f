// The browser's inflate gives the same bytes as Node's, uses the same bytes of the input, and fails where Node's fails.

import { createHash, randomBytes, randomInt } from "node:crypto";
import * as node from "node:zlib";
import { describe, expect, test } from "vitest";
import * as browser from "./zlib.ts";

const words = Buffer.from("Each entry follows the one before it. ".repeat(3_000));
const samples: readonly [string, Buffer][] = [
  ["nothing", Buffer.alloc(0)],
  ["one byte", Buffer.from("a")],
  ["text", words],
  ["noise", randomBytes(100_000)],
  ["long runs", Buffer.concat([Buffer.alloc(70_000, 1), randomBytes(300), Buffer.alloc(70_000, 2)])],
  ["numbers", Buffer.from(Array.from({ length: 20_000 }, (_, n) => `${(n * 7919) % 1000} `).join(""))],
];
const levels = [
  { level: 0 },
  { level: 1 },
  { level: 9 },
  { strategy: node.constants.Z_FIXED },
  { strategy: node.constants.Z_HUFFMAN_ONLY },
];

// Compared by their hashes, because comparing two large buffers byte by byte takes most of the time.
const shortOf = (bytes: Uint8Array): string => `${bytes.length} ${createHash("sha256").update(bytes).digest("hex")}`;

type Tried = { readonly bytes: string; readonly used: number } | "failed";

function tried(inflate: (data: Uint8Array, options: object) => unknown, data: Uint8Array, options: object): Tried {
  try {
    const { buffer, engine } = inflate(data, { ...options, info: true }) as { buffer: Buffer; engine: { bytesWritten: number } };
    return { bytes: shortOf(buffer), used: engine.bytesWritten };
  } catch {
    return "failed";
  }
}

describe.each(samples)("%s", (_, bytes) => {
  test("is inflated at every level of compression, with and without a header", () => {
    for (const level of levels) {
      const raw = node.deflateRawSync(bytes, level);
      expect(tried(browser.inflateRawSync, raw, {})).toEqual({ bytes: shortOf(bytes), used: raw.length });
      expect(tried(browser.inflateRawSync, Buffer.concat([raw, Buffer.from("more")]), {})).toEqual({
        bytes: shortOf(bytes),
        used: raw.length,
      });
      expect(shortOf(browser.inflateSync(node.deflateSync(bytes, level)))).toBe(shortOf(bytes));
    }
    expect(shortOf(node.inflateSync(browser.deflateSync(bytes)))).toBe(shortOf(bytes));
  });

  test("stops at the allowed size", () => {
    const raw = node.deflateRawSync(bytes);
    const atMost = Math.max(bytes.length, 1);
    expect(tried(browser.inflateRawSync, raw, { maxOutputLength: atMost })).toMatchObject({ bytes: shortOf(bytes) });
    if (bytes.length < 2) return;
    expect(() => browser.inflateRawSync(raw, { maxOutputLength: bytes.length - 1 })).toThrow("ERR_BUFFER_TOO_LARGE");
  });

  test("cut short anywhere gives what Node gives", () => {
    const finishFlush = node.constants.Z_SYNC_FLUSH;
    const [raw, packed] = [node.deflateRawSync(bytes), node.deflateSync(bytes)];
    for (let n = 0; n < 30; n++) {
      const cut = randomInt(raw.length + 1);
      const [a, b] = [raw.subarray(0, cut), packed.subarray(0, cut)];
      expect(shortOf(browser.inflateRawSync(a, { finishFlush }) as Buffer)).toBe(shortOf(node.inflateRawSync(a, { finishFlush })));
      expect(shortOf(browser.inflateSync(b, { finishFlush }))).toBe(shortOf(node.inflateSync(b, { finishFlush })));
      if (cut < raw.length) expect(tried(browser.inflateRawSync, raw.subarray(0, cut), {})).toBe("failed");
    }
  });

  test("with a flipped bit gives what Node gives", () => {
    for (const level of levels) {
      const [raw, packed] = [node.deflateRawSync(bytes, level), node.deflateSync(bytes, level)];
      for (let n = 0; n < 15; n++) {
        const [a, b] = [flipped(raw), flipped(packed)];
        const options = { maxOutputLength: 1_000_000 };
        expect(tried(browser.inflateRawSync, a, options)).toEqual(tried(node.inflateRawSync, a, options));
        const ours = tried((data, given) => ({ buffer: browser.inflateSync(data, given), engine: { bytesWritten: 0 } }), b, options);
        const nodes = tried(
          (data, given) => ({ buffer: node.inflateSync(data, { ...given, info: false }), engine: { bytesWritten: 0 } }),
          b,
          options,
        );
        expect(ours).toEqual(nodes);
      }
    }
  });
});

function flipped(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  const bit = randomInt(copy.length * 8);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}
