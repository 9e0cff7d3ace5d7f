import { expect, test } from "vitest";
import { base64, clearPaper, inkBounds, type Pixels, shrink } from "./picture.ts";

type Colour = readonly [number, number, number, number];

const WHITE: Colour = [255, 255, 255, 255];
const INK: Colour = [20, 40, 130, 255];

function sheet(width: number, height: number, colourAt: (x: number, y: number) => Colour): Pixels {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(colourAt(x, y), 4 * (y * width + x));
  return { data, width, height };
}

const alphaAt = ({ data, width }: Pixels, x: number, y: number): number | undefined => data[4 * (y * width + x) + 3];
const isLine = (x: number, y: number) => x >= 4 && x < 14 && y >= 5 && y < 7;

test("white paper becomes transparent, ink stays, and the image is cropped to the ink", () => {
  const pixels = sheet(20, 10, (x, y) => (isLine(x, y) ? INK : WHITE));
  clearPaper(pixels);
  expect([alphaAt(pixels, 0, 0), alphaAt(pixels, 4, 5)]).toEqual([0, 255]);
  expect(inkBounds(pixels)).toEqual({ x: 4, y: 5, w: 10, h: 2 });
});

test("grey paper with a shadow is recognized as paper", () => {
  const pixels = sheet(20, 10, (x, y) => (isLine(x, y) ? INK : [200 - x, 198 - x, 190 - x, 255]));
  clearPaper(pixels);
  expect(inkBounds(pixels)).toEqual({ x: 4, y: 5, w: 10, h: 2 });
});

test("the soft edge of a line stays soft", () => {
  const pixels = sheet(20, 10, (x, y) => (isLine(x, y) ? [205, 205, 205, 255] : WHITE));
  clearPaper(pixels);
  expect(alphaAt(pixels, 4, 5)).toBe(128);
});

test("an image that is already transparent keeps its ink", () => {
  const pixels = sheet(20, 10, (x, y) => (isLine(x, y) ? INK : [0, 0, 0, 0]));
  clearPaper(pixels);
  expect(alphaAt(pixels, 4, 5)).toBe(255);
  expect(inkBounds(pixels)).toEqual({ x: 4, y: 5, w: 10, h: 2 });
});

test("an image without paper is not changed", () => {
  const dark = sheet(20, 10, (x, y) => (isLine(x, y) ? WHITE : [30, 30, 30, 255]));
  clearPaper(dark);
  expect(inkBounds(dark)).toEqual({ x: 0, y: 0, w: 20, h: 10 });
});

test("an empty sheet has no ink", () => {
  const pixels = sheet(20, 10, () => WHITE);
  clearPaper(pixels);
  expect(inkBounds(pixels)).toBeNull();
});

test("images are scaled down to fit, never up", () => {
  expect(shrink(2000, 400, 1000, 400)).toBe(0.5);
  expect(shrink(1000, 1600, 1000, 400)).toBe(0.25);
  expect(shrink(100, 40, 1000, 400)).toBe(1);
});

test("bytes are sent as base64 without a prefix", () => {
  expect(base64(new Uint8Array([0x89, 0x50, 0x4e, 0x47]))).toBe("iVBORw==");
});
