import { describe, expect, test } from "vitest";
import { anchoredArea, besideMatch, draftFor, type Side, sides, sidesWithRoom } from "./anchor-draft.ts";
import { overlap } from "./geometry.ts";

const size = { w: 0.294, h: 0.056 };
const draft = draftFor("signature", size);
const text = (x: number, y: number) => ({ page: 1, x, y, w: 0.2, h: 0.016 });

describe("a field next to text", () => {
  test("is to the right of it, in the middle of its line", () => {
    const match = text(0.1, 0.5);
    expect(anchoredArea(match, besideMatch(draft, match))).toEqual({
      page: 1,
      x: expect.closeTo(0.31),
      y: expect.closeTo(0.48),
      ...rounded,
    });
  });

  test("never covers it and is completely on the page, at every edge and on every side", () => {
    for (const x of [0, 0.35, 0.8]) {
      for (const y of [0, 0.5, 0.984]) {
        const match = text(x, y);
        const room = sidesWithRoom(match, size);
        expect(room.length).toBeGreaterThan(0);
        for (const side of sides) {
          const beside = besideMatch({ ...draft, side }, match);
          const area = anchoredArea(match, beside);
          expect(area).toMatchObject(rounded);
          expect(area !== null && overlap(area, match)).toBe(false);
          if (room.includes(side)) expect(beside.side).toBe(side);
        }
      }
    }
  });

  test.each<[Side, number, number, readonly Side[]]>([
    ["right", 0.8, 0.5, ["below", "above", "left"]],
    ["below", 0.8, 0.98, ["above", "left"]],
    ["above", 0.1, 0, ["right", "below"]],
    ["left", 0.1, 0.5, ["right", "below", "above"]],
  ])("has no room %s of a text at that edge", (_, x, y, room) => {
    expect(sidesWithRoom(text(x, y), size)).toEqual(room);
  });

  test("keeps an offset that the user entered", () => {
    const own = { ...draft, side: null, offset_x: 0.02, offset_y: 0 };
    expect(besideMatch(own, text(0.1, 0.5))).toEqual(own);
  });
});

const rounded = { w: expect.closeTo(size.w), h: expect.closeTo(size.h) };
