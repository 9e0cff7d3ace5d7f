import { expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { type Area, areaOf, clipArea, emptyExtent, extend, fromDisplayedPoints, placeAgainst, toFractions } from "./area.ts";
import { type DisplayedPage, displayedSize } from "./page-tree.ts";

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const pages: fc.Arbitrary<DisplayedPage> = fc.record({
  x: fc.double({ min: -500, max: 500, noNaN: true }),
  y: fc.double({ min: -500, max: 500, noNaN: true }),
  w: fc.double({ min: 3, max: 2000, noNaN: true }),
  h: fc.double({ min: 3, max: 2000, noNaN: true }),
  rotate: fc.constantFrom(0, 90, 180, 270),
  user_unit: fc.constantFrom(0.5, 1, 2),
});

test("converting an area to points and back gives the same area", () => {
  fc.assert(
    fc.property(pages, fraction, fraction, fraction, fraction, (page, x, y, right, bottom) => {
      const { w_pt, h_pt } = displayedSize(page);
      const drawn = [x * w_pt, y * h_pt, right * w_pt, bottom * h_pt];
      const m = fromDisplayedPoints(page);
      const user = [0, 2].flatMap((i) => {
        const [px = 0, py = 0] = drawn.slice(i, i + 2);
        return [m[0] * px + m[2] * py + m[4], m[1] * px + m[3] * py + m[5]];
      });
      const extent = emptyExtent();
      extend(extent, user, toFractions(page));
      expect(extent.left).toBeCloseTo(Math.min(x, right), 6);
      expect(extent.right).toBeCloseTo(Math.max(x, right), 6);
      expect(extent.top).toBeCloseTo(Math.min(y, bottom), 6);
      expect(extent.bottom).toBeCloseTo(Math.max(y, bottom), 6);
    }),
  );
});

test("an area that extends beyond the page is clipped, one outside is null", () => {
  const at = (x: number, y: number, w: number, h: number): Area => ({ page: 1, x, y, w, h });
  expect(clipArea(at(0.9, -0.1, 0.2, 0.2))).toEqual({ area: at(0.9, 0, 0.1, 0.1), clipped: true });
  expect(clipArea(at(0.1, 0.1, 0.2, 0.2))).toEqual({ area: at(0.1, 0.1, 0.2, 0.2), clipped: false });
  expect(clipArea(at(1, 0, 0.1, 0.1))).toBeNull();
  expect(areaOf(2, { left: -1, top: 0.25, right: 0.5, bottom: 3 })).toEqual({ page: 2, x: 0, y: 0.25, w: 0.5, h: 0.75 });
});

test("a field is placed relative to the match's top left corner", () => {
  const match = { page: 3, x: 0.2, y: 0.3, w: 0.1, h: 0.02 };
  expect(placeAgainst(match, { w: 0.25, h: 0.05 })?.area).toEqual({ page: 3, x: 0.2, y: 0.3, w: 0.25, h: 0.05 });
  expect(placeAgainst(match, { offset_x: -0.1, offset_y: 0.05, w: 0.25, h: 0.05 })?.area).toEqual({
    page: 3,
    x: 0.1,
    y: 0.35,
    w: 0.25,
    h: 0.05,
  });
  expect(placeAgainst(match, { offset_x: 0.9, w: 0.25, h: 0.05 })).toBeNull();
});
