import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crc32 } from "./crc32.ts";
import { readZip } from "./read-zip.ts";
import { writeZip } from "./write-zip.ts";
import { BadZip, type NamedFile } from "./zip-format.ts";

const text = (name: string, content: string): NamedFile => ({ name, bytes: Buffer.from(content) });
const some = [text("b/two.txt", "second"), text("a.txt", "first"), text("c.bin", "")];
const shown = (files: readonly NamedFile[]) => files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("latin1")]);

/** The one file of a zip, packed with deflate: headers of our own writer, patched in both places. */
function deflatedZip(name: string, content: Buffer, change: { packed?: Buffer; size?: number } = {}): Buffer {
  const packed = change.packed ?? deflateRawSync(content);
  const zip = Buffer.from(writeZip([{ name, bytes: packed }]));
  const directory = zip.length - 22 - 46 - name.length;
  for (const at of [4, directory + 6]) {
    zip.writeUInt16LE(8, at + 4);
    zip.writeUInt32LE(crc32(content), at + 10);
    zip.writeUInt32LE(change.size ?? content.length, at + 18);
  }
  return zip;
}

describe("what is written", () => {
  test("is read back, sorted by name, and is the same in whatever order it came", () => {
    const zip = writeZip(some);
    expect(shown(readZip(zip))).toEqual([
      ["a.txt", "first"],
      ["b/two.txt", "second"],
      ["c.bin", ""],
    ]);
    expect(Buffer.from(writeZip([...some].reverse()))).toEqual(Buffer.from(zip));
    expect(readZip(writeZip([]))).toEqual([]);
  });

  test("any bytes under any portable names come back", () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}(\/[A-Za-z0-9_-]{1,8})?$/);
    const files = fc.uniqueArray(fc.record({ name, bytes: fc.uint8Array({ maxLength: 200 }) }), {
      selector: ({ name: each }) => each.toLowerCase(),
    });
    fc.assert(
      fc.property(files, (all) => {
        const sorted = [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
        expect(shown(readZip(writeZip(all)))).toEqual(shown(sorted));
      }),
    );
  });

  test("a name that is there twice, goes up, or begins at the root is refused", () => {
    for (const name of ["../a", "a/../b", "/a", "a//b", "a\\b", "a/", "", ".hidden", "é", "a b", "c:x"]) {
      expect(() => writeZip([text(name, "")])).toThrow(BadZip);
    }
    expect(() => writeZip([text("a", ""), text("A", "")])).toThrow("twice");
  });
});

describe("what is read", () => {
  test("may be deflated", () => {
    const content = Buffer.from("again and again ".repeat(100));
    expect(shown(readZip(deflatedZip("a.txt", content)))).toEqual([["a.txt", content.toString()]]);
  });

  test("is refused when it unpacks to more or less than stated, or leaves something over", () => {
    const content = Buffer.alloc(100_000);
    expect(() => readZip(deflatedZip("a", content, { size: 10 }))).toThrow("cannot be unpacked");
    expect(() => readZip(deflatedZip("a", content, { size: 100_001 }))).toThrow("stated size");
    const followed = Buffer.concat([deflateRawSync(content), Buffer.from([0])]);
    expect(() => readZip(deflatedZip("a", content, { packed: followed }))).toThrow("stated size");
  });

  test("is refused with anything before, between or after its files", () => {
    const zip = Buffer.from(writeZip(some));
    expect(() => readZip(Buffer.concat([zip, Buffer.from([0])]))).toThrow(BadZip);
    expect(() => readZip(Buffer.concat([Buffer.from([0]), zip]))).toThrow(BadZip);
    expect(() => readZip(zip.subarray(0, zip.length - 1))).toThrow(BadZip);
    expect(() => readZip(new Uint8Array())).toThrow(BadZip);
  });

  test("is refused after any one bit of it was changed", () => {
    const zip = writeZip(some);
    for (let bit = 0; bit < zip.length * 8; bit++) {
      const copy = Buffer.from(zip);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => readZip(copy), `bit ${bit}`).toThrow(BadZip);
    }
  });

  test("never throws anything else, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), (noise, at) => {
        const zip = Buffer.from(writeZip(some));
        zip.set(noise.subarray(0, zip.length), at % Math.max(1, zip.length - Math.min(noise.length, zip.length)));
        try {
          readZip(zip);
        } catch (error) {
          expect(error).toBeInstanceOf(BadZip);
        }
      }),
    );
  });
});

test("the checksum is the one of the standard", () => {
  expect(crc32(Buffer.from("123456789"))).toBe(0xcbf43926);
});
