import { expect, test } from "vitest";
import { extentOf, pathOf, shownOf, viewBoxOf } from "./stroke-path.ts";

test("a stroke is one curve through each of its points", () => {
  const path = pathOf([
    [0, 0, 0],
    [6, 12, 8],
    [12, 0, 16],
  ]);
  expect(path).toBe("M0 0C1 2 4 12 6 12C8 12 11 2 12 0");
});

test("a touch without a movement is a dot", () => {
  expect(pathOf([[7, 9, 0]])).toBe("M7 9h0");
});

test("ink is shown by itself, wherever on the pad it was drawn", () => {
  const strokes = [
    [
      [100, 60],
      [300, 160],
    ],
  ];
  expect(extentOf(strokes)).toEqual({ left: 100, top: 60, w: 200, h: 100 });
  expect(viewBoxOf(shownOf({ kind: "drawn", w: 400, h: 200, strokes }))).toBe("100 60 200 100");
});

test("a dot does not become a blot: what is shown is at least 15 % of the pad, with the ink at its lower left", () => {
  expect(shownOf({ kind: "drawn", w: 400, h: 200, strokes: [[[200, 100]]] })).toEqual({ left: 200, top: 70, w: 60, h: 30 });
});
