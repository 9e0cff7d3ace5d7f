import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import fc from "../../../testing/properties.ts";
import { crc32 } from "./crc32.ts";
import { readZip } from "./read-zip.ts";
import { writeZip } from "./write-zip.ts";
import { BadZip, type NamedFile } from "./zip-format.ts";

const text = (name: string, content: string): NamedFile => ({ name, bytes: Buffer.from(content) });
const some = [text("b/two.txt", "second"), text("a.txt", "first"), text("c.bin", "")];
const shown = (files: readonly NamedFile[]) => files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("latin1")]);

/** A zip with one deflated file: the headers of our own writer, patched in both places. */
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

describe("writing", () => {
  test("gives the same bytes in any order of files, which are read back sorted by name", () => {
    const zip = writeZip(some);
    expect(shown(readZip(zip))).toEqual([
      ["a.txt", "first"],
      ["b/two.txt", "second"],
      ["c.bin", ""],
    ]);
    expect(Buffer.from(writeZip([...some].reverse()))).toEqual(Buffer.from(zip));
    expect(readZip(writeZip([]))).toEqual([]);
  });

  test("works for any bytes under any portable names", () => {
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

  test("rejects names that are duplicate, lead to a parent folder or start at the root", () => {
    for (const name of ["../a", "a/../b", "/a", "a//b", "a\\b", "a/", "", ".hidden", "é", "a b", "c:x"]) {
      expect(() => writeZip([text(name, "")])).toThrow(BadZip);
    }
    expect(() => writeZip([text("a", ""), text("A", "")])).toThrow("twice");
  });
});

describe("a zip file that is read", () => {
  test("may be deflated", () => {
    const content = Buffer.from("again and again ".repeat(100));
    expect(shown(readZip(deflatedZip("a.txt", content)))).toEqual([["a.txt", content.toString()]]);
  });

  test("is rejected if it unpacks to more or less than stated, or has input left over", () => {
    const content = Buffer.alloc(100_000);
    expect(() => readZip(deflatedZip("a", content, { size: 10 }))).toThrow("cannot be unpacked");
    expect(() => readZip(deflatedZip("a", content, { size: 100_001 }))).toThrow("stated size");
    const followed = Buffer.concat([deflateRawSync(content), Buffer.from([0])]);
    expect(() => readZip(deflatedZip("a", content, { packed: followed }))).toThrow("stated size");
  });

  test("is rejected with anything before, between or after its files", () => {
    const zip = Buffer.from(writeZip(some));
    expect(() => readZip(Buffer.concat([zip, Buffer.from([0])]))).toThrow(BadZip);
    expect(() => readZip(Buffer.concat([Buffer.from([0]), zip]))).toThrow(BadZip);
    expect(() => readZip(zip.subarray(0, zip.length - 1))).toThrow(BadZip);
    expect(() => readZip(new Uint8Array())).toThrow(BadZip);
  });

  test("is rejected if any bit is changed", () => {
    const zip = writeZip(some);
    for (let bit = 0; bit < zip.length * 8; bit++) {
      const copy = Buffer.from(zip);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => readZip(copy), `bit ${bit}`).toThrow(BadZip);
    }
  });

  test("never causes any error but BadZip, whatever the bytes", () => {
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

test("the checksum matches the standard", () => {
  expect(crc32(Buffer.from("123456789"))).toBe(0xcbf43926);
});
