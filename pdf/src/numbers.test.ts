import { PdfArray, PdfDict, PdfNumber } from "@libpdf/core";
import { createBudget } from "pako";
import { expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { onePage } from "../fixtures/pages.ts";
import { pixelsOf } from "../fixtures/pixels.ts";
import { tinyGlyphs, unitsOf2048 } from "../fixtures/small-numbers.ts";
import { writePdf } from "../fixtures/writer.ts";
import { type Doc, numbers, resolve, save } from "./doc.ts";
import { spellNumber } from "./numbers.ts";
import { openPdf } from "./open.ts";
import { placeSeal } from "./place-seal.ts";
import { sanitize } from "./sanitize.ts";

const open = (bytes: Uint8Array): Promise<Doc> => openPdf(bytes, createBudget());

/** Numbers in the range of single precision, with as many digits as double precision has. */
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, min: -3.4e38, max: 3.4e38 }).filter((value) => value === 0 || Math.abs(value) >= 1e-45),
  fc.double({ noNaN: true, min: -2, max: 2 }).filter((value) => value === 0 || Math.abs(value) >= 1e-45),
  fc.integer(),
  fc.constantFrom(0, -0, 1 / 2048, 1 / 1000, 4e-6, 1e-7, 0.1 + 0.2, 1e21, -1e21, 2 ** 31, -(2 ** 31), 1e-45, 3.4028234663852886e38),
);
const anyMatrix = fc.tuple(anyNumber, anyNumber, anyNumber, anyNumber, anyNumber, anyNumber);

test("a number is spelled without an exponent and is read as the same number", () => {
  fc.assert(
    fc.property(anyNumber, (value) => {
      const spelled = spellNumber(value);
      expect(spelled).toMatch(/^-?(?:\d+|\d*\.\d+)$/);
      expect(Number(spelled) + 0).toBe(value + 0);
    }),
    { numRuns: 2_000 },
  );
});

test("what is not a number, or is beyond what viewers can read, is never written", () => {
  expect(spellNumber(Number.NaN)).toBe("0");
  expect(spellNumber(-0)).toBe("0");
  expect(spellNumber(5e-324)).toBe("0");
  expect(spellNumber(Number.POSITIVE_INFINITY)).toMatch(/^34028234663852886\d{22}$/);
  expect(spellNumber(-Number.MAX_VALUE)).toMatch(/^-34028234663852886\d{22}$/);
});

test("any matrix is the same after opening, saving and opening again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyMatrix, { minLength: 1, maxLength: 20 }), async (matrices) => {
      const spelled = matrices.map((matrix) => `[${matrix.map(spellNumber).join(" ")}]`);
      const doc = await open(writePdf(onePage({ page: `/Test [${spelled.join(" ")}]` })));
      const again = await open(await save(doc));
      const read = resolve(again, again.pages[0]?.dict.get("Test"));
      const found = (read as PdfArray).toArray().map((item) => numbers(again, item)?.map((value) => value + 0));
      expect(found).toEqual(matrices.map((matrix) => matrix.map((value) => value + 0)));
    }),
    { numRuns: 50 },
  );
});

test("libpdf writes numbers in full, in a full save and in an appended revision", async () => {
  const doc = await open(writePdf(onePage({ page: "/Test [.000004 0.00048828125 100000000000000000000000]" })));
  doc.pages[0]?.dict.set("Other", PdfDict.of({ Matrix: PdfArray.of(PdfNumber.of(1e-7), PdfNumber.of(Number.NaN)) }));
  const bytes = await save(doc);
  const file = Buffer.from(bytes).toString("latin1");
  expect(file).toMatch(/\[\s*0\.000004 0\.00048828125 100000000000000000000000\s*\]/);
  expect(file).toMatch(/\[\s*0\.0000001 0\s*\]/);
  const sealed = await placeSeal(bytes, { name: "N", reason: "R", at: new Date(0), room: 4096, marker: new Uint8Array(32).fill(7) });
  const appended = Buffer.from(sealed.bytes.subarray(bytes.length)).toString("latin1");
  expect(appended).toMatch(/\[\s*0\.000004 0\.00048828125 100000000000000000000000\s*\]/);
});

const inked = ({ data }: { readonly data: Uint8Array }): number => {
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 128) count++;
  return count;
};

test("80 glyphs of a font scaled by four millionths stay, and a line in 2,048 units per em keeps its length", async () => {
  for (const objects of [tinyGlyphs(), unitsOf2048()]) {
    const file = writePdf(objects);
    const before = await pixelsOf(file);
    expect(inked(before)).toBeGreaterThan(80 * 20);
    const { bytes } = await sanitize(await open(file));
    expect(Buffer.compare((await pixelsOf(bytes)).data, before.data)).toBe(0);
  }
});
