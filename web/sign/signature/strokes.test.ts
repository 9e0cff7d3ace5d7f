import { expect, test } from "vitest";
import type { Drawn } from "./stroke-path.ts";
import { begin, extend, isFull, isTooLittle, lastTime, MAX_POINTS, type Point, undo, viewOf } from "./strokes.ts";

const PAD = { w: 400, h: 200 };

const drawnThrough = (points: readonly Point[], before: Drawn | null = null): Drawn => {
  const [first, ...rest] = points;
  if (first === undefined) throw new Error("a stroke needs a point");
  return rest.reduce(extend, begin(before, PAD, first));
};
const line = (count: number, step = 10, y = 100): Point[] => Array.from({ length: count }, (_, n) => [20 + n * step, y, n * 8]);

test("a drawing keeps the coordinates of the pad at its first stroke", () => {
  const first = drawnThrough(line(10));
  const turned = begin(first, { w: 800, h: 150 }, [30, 30, 900]);
  expect(turned).toEqual({ kind: "drawn", ...PAD, strokes: [line(10), [[30, 30, 900]]] });
});

test("points less than a pixel apart are merged, with the time of the first", () => {
  const drawing = drawnThrough([
    [10, 10, 0],
    [10.5, 10.5, 4],
    [10.9, 10, 8],
    [11, 10, 12],
  ]);
  expect(drawing.strokes).toEqual([
    [
      [10, 10, 0],
      [11, 10, 12],
    ],
  ]);
});

test("a full pad accepts neither points nor strokes until a stroke is undone", () => {
  const almost = drawnThrough(line(MAX_POINTS - 1, 1));
  expect(isFull(almost)).toBe(false);
  const full = begin(almost, PAD, [5, 5, 99_000]);
  expect(isFull(full)).toBe(true);
  expect(extend(full, [50, 50, 99_100])).toBe(full);
  expect(begin(full, PAD, [60, 60, 99_200])).toBe(full);
  expect(undo(full)).toEqual(almost);
});

test("undoing the only stroke leaves no drawing", () => {
  expect(undo(drawnThrough(line(10)))).toBeNull();
});

test("under 8 points, or under 15 % of the pad's width, is too little to adopt", () => {
  expect(isTooLittle(drawnThrough(line(7, 30)))).toBe(true);
  expect(isTooLittle(drawnThrough(line(8, 30)))).toBe(false);
  // 15 % of 400 is 60.
  expect(isTooLittle(drawnThrough(line(60, 1)))).toBe(true);
  expect(isTooLittle(drawnThrough(line(61, 1)))).toBe(false);
});

test("the width counts across all strokes", () => {
  const dot = drawnThrough(line(4, 1));
  const far = drawnThrough(
    line(4, 1).map(([x, y, ms]): Point => [x + 80, y, ms + 500]),
    dot,
  );
  expect(isTooLittle(far)).toBe(false);
});

test("the view contains the pad and everything drawn outside it while it had another shape", () => {
  const inside = drawnThrough(line(10));
  expect(viewOf(inside)).toEqual({ left: 0, top: 0, ...PAD });
  const beside = drawnThrough(
    [
      [-50, 20, 0],
      [460, 190, 40],
    ],
    inside,
  );
  expect(viewOf(beside)).toEqual({ left: -50, top: 0, w: 510, h: 200 });
});

test("the last time is that of the last point", () => {
  expect(lastTime(null)).toBe(0);
  expect(lastTime(drawnThrough(line(10)))).toBe(72);
});
