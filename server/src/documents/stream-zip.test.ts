import { describe, expect, test } from "vitest";
import { readStreamedZip } from "../../test/read-streamed-zip.ts";
import { streamZip } from "./stream-zip.ts";

async function* these(...names: readonly string[]) {
  for (const name of names) yield { name, bytes: Buffer.from(`content of ${name}`) };
}

const at = new Date("2026-03-01T12:34:56Z");
const zipped = async (names: readonly string[], startsAt = 0) => {
  const pieces: Uint8Array[] = [];
  for await (const piece of streamZip(these(...names), at, startsAt)) pieces.push(piece);
  return Buffer.concat(pieces);
};

describe("a streamed ZIP file", () => {
  test("has every file under its name, with the same values in front of it and in the directory", async () => {
    const names = ["Lease – signed.pdf", "語.pdf", "empty"];
    const files = readStreamedZip(await zipped(names));
    expect(files.map(({ name, bytes }) => [name, bytes.toString()])).toEqual(names.map((name) => [name, `content of ${name}`]));
    expect(readStreamedZip(await zipped([]))).toEqual([]);
  });

  test("has 64-bit offsets for what lies behind 4 GiB, and only for that", async () => {
    const before = 2 ** 32 - 100;
    const files = readStreamedZip(await zipped(["first", "second", "third"], before), before);
    expect(files.map(({ name, has64 }) => [name, has64])).toEqual([
      ["first", false],
      ["second", false],
      ["third", true],
    ]);
  });
});
