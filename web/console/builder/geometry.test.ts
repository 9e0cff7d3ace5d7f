import { describe, expect, test } from "vitest";
import { around, between, cornerAt, grownBy, movedBy, onGrid, onPage, overlap, reachOf } from "./geometry.ts";

const area = { page: 1, x: 0.2, y: 0.3, w: 0.3, h: 0.1 };

describe("areas", () => {
  test("repeated small steps do not add up rounding errors", () => {
    let moved = area;
    for (let step = 0; step < 40; step++) moved = movedBy(moved, 0.005, 0.005);
    expect(moved).toEqual({ ...area, x: 0.4, y: 0.5 });
  });

  test("pointer positions are rounded to a tenth of a percent", () => {
    expect([onGrid(0.12345), onGrid(0.3804999)]).toEqual([0.123, 0.38]);
  });

  test("an area outside the page is moved back, and one that is too large is clipped", () => {
    expect(onPage({ ...area, x: 0.9, y: -0.2 })).toEqual({ ...area, x: 0.7, y: 0 });
    expect(onPage({ page: 1, x: 0.5, y: 0.5, w: 2, h: 0 })).toEqual({ page: 1, x: 0, y: 0.5, w: 1, h: 0.008 });
  });

  test("several areas move only until the first one reaches the edge", () => {
    const other = { ...area, x: 0.65, w: 0.3 };
    expect(reachOf([area, other], 0.2, -0.5)).toEqual({ dx: 0.05, dy: -0.3 });
  });

  test("dragging a corner keeps the opposite corner in place", () => {
    expect(cornerAt(area, "se", { x: 0.6, y: 0.5 })).toEqual({ ...area, w: 0.4, h: 0.2 });
    expect(cornerAt(area, "nw", { x: 0.1, y: 0.35 })).toEqual({ page: 1, x: 0.1, y: 0.35, w: 0.4, h: 0.05 });
    expect(cornerAt(area, "nw", { x: 0.9, y: -1 })).toEqual({ page: 1, x: 0.492, y: 0, w: 0.008, h: 0.4 });
  });

  test("resizing stops at the edge of the page and at the minimum size", () => {
    expect(grownBy(area, 2, -2)).toEqual({ ...area, w: 0.8, h: 0.008 });
  });

  test("an area is centred on a point and stays on the page", () => {
    expect(around(2, { x: 0.5, y: 0.5 }, { w: 0.3, h: 0.05 })).toEqual({ page: 2, x: 0.35, y: 0.475, w: 0.3, h: 0.05 });
    expect(around(1, { x: 0, y: 1 }, { w: 0.3, h: 0.05 })).toEqual({ page: 1, x: 0, y: 0.95, w: 0.3, h: 0.05 });
  });

  test("a selection frame drawn upwards contains only areas of its own page", () => {
    const frame = between(1, { x: 0.6, y: 0.6 }, { x: 0.1, y: 0.1 });
    expect(overlap(frame, area)).toBe(true);
    expect(overlap(frame, { ...area, page: 2 })).toBe(false);
    expect(overlap(frame, { ...area, x: 0.6 })).toBe(false);
  });
});
