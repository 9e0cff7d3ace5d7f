import { describe, expect, test } from "vitest";
import { snapCorner, snapMove } from "./snap.ts";

const other = { page: 1, x: 0.2, y: 0.4, w: 0.3, h: 0.05 };
const near = (given: object, wanted: object) => {
  for (const [name, value] of Object.entries(wanted)) expect((given as Record<string, number>)[name], name).toBeCloseTo(value, 9);
};

describe("a dragged field snaps", () => {
  test("to the edge of another field, and reports the guide", () => {
    const { area, guides } = snapMove({ page: 1, x: 0.205, y: 0.7, w: 0.1, h: 0.02 }, [other]);
    near(area, { x: 0.2, y: 0.7 });
    expect(guides).toEqual([{ page: 1, axis: "x", at: 0.2 }]);
  });

  test("to the middle of another field", () => {
    const { area } = snapMove({ page: 1, x: 0.303, y: 0.418, w: 0.1, h: 0.02 }, [other]);
    near(area, { x: 0.3, y: 0.415 });
  });

  test("to the nearest of several fields", () => {
    const { area } = snapMove({ page: 1, x: 0.204, y: 0.8, w: 0.1, h: 0.02 }, [other, { ...other, x: 0.205 }]);
    near(area, { x: 0.205 });
  });

  test("only within 0.6 percent, and only to fields on the same page", () => {
    const far = { page: 1, x: 0.2065, y: 0.8, w: 0.11, h: 0.02 };
    expect(snapMove(far, [other])).toEqual({ area: far, guides: [] });
    const elsewhere = { ...far, page: 2, x: 0.2 };
    expect(snapMove(elsewhere, [other]).guides).toEqual([]);
  });

  test("to the size of another field on any page", () => {
    const like = { ...other, page: 3 };
    const { area, guides } = snapCorner({ page: 1, x: 0.1, y: 0.8, w: 0.296, h: 0.052 }, "se", [like]);
    near(area, { x: 0.1, y: 0.8, w: 0.3, h: 0.05 });
    expect(guides.map(({ like: one }) => one)).toEqual([like, like]);
  });

  test("by a corner, while the opposite corner stays in place", () => {
    const { area } = snapCorner({ page: 1, x: 0.203, y: 0.6, w: 0.5, h: 0.2 }, "nw", [other]);
    near(area, { x: 0.2, w: 0.503, y: 0.6, h: 0.2 });
  });
});
