import { expect, test } from "vitest";
import { extentOf, pathOf, viewBoxOf, visibleExtent } from "./stroke-path.ts";

test("a stroke is one curve through each of its points", () => {
  const path = pathOf([
    [0, 0, 0],
    [6, 12, 8],
    [12, 0, 16],
  ]);
  expect(path).toBe("M0 0C1 2 4 12 6 12C8 12 11 2 12 0");
});

test("a touch without movement is a dot", () => {
  expect(pathOf([[7, 9, 0]])).toBe("M7 9h0");
});

test("the view is cropped to the ink, wherever on the pad it was drawn", () => {
  const strokes = [
    [
      [100, 60],
      [300, 160],
    ],
  ];
  expect(extentOf(strokes)).toEqual({ left: 100, top: 60, w: 200, h: 100 });
  expect(viewBoxOf(visibleExtent({ kind: "drawn", w: 400, h: 200, strokes }))).toBe("100 60 200 100");
});

test("a dot is not enlarged to a blot: the view is at least 15 % of the pad, with the ink at the lower left", () => {
  expect(visibleExtent({ kind: "drawn", w: 400, h: 200, strokes: [[[200, 100]]] })).toEqual({ left: 200, top: 70, w: 60, h: 30 });
});
