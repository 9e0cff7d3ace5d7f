import type { FieldArea } from "@countersign/client/types";

/** Positions of fields, as in the API: fractions of the displayed page, measured from its top left corner. */

export type Area = Readonly<FieldArea>;

/** How far an arrow key moves a field, in points; `BIG_STEP` is with Shift. */
export const STEP = 1;
export const BIG_STEP = 10;
// Pointer positions are rounded to this: finer than a pixel, and coarse enough for short numbers in the panel.
const GRID = 0.001;
// A smaller box could not be grabbed again.
export const MIN_SIZE = 0.008;

// The server stores six decimals. Rounding removes floating-point errors beyond them.
export const exact = (value: number): number => Math.round(value * 1e6) / 1e6;
export const onGrid = (value: number): number => exact(Math.round(value / GRID) * GRID);
const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** Moves an area back onto its page, and shrinks it if it is too large. */
export function onPage({ page, x, y, w, h }: Area): Area {
  const [width, height] = [within(exact(w), MIN_SIZE, 1), within(exact(h), MIN_SIZE, 1)];
  return { page, x: exact(within(x, 0, 1 - width)), y: exact(within(y, 0, 1 - height)), w: width, h: height };
}

/** How far these areas can move together. The first one at an edge stops all of them, so that their distances stay the same. */
export function reachOf(areas: readonly Area[], dx: number, dy: number): { readonly dx: number; readonly dy: number } {
  const least = (values: readonly number[]) => Math.min(...values);
  return {
    dx: exact(within(dx, -least(areas.map(({ x }) => x)), least(areas.map(({ x, w }) => 1 - x - w)))),
    dy: exact(within(dy, -least(areas.map(({ y }) => y)), least(areas.map(({ y, h }) => 1 - y - h)))),
  };
}

export const movedBy = (area: Area, dx: number, dy: number): Area => ({ ...area, x: exact(area.x + dx), y: exact(area.y + dy) });

/** Resizes an area. The top left corner stays in place. */
export function grownBy(area: Area, dw: number, dh: number): Area {
  const { x, y, w, h } = area;
  return { ...area, w: exact(within(w + dw, MIN_SIZE, 1 - x)), h: exact(within(h + dh, MIN_SIZE, 1 - y)) };
}

export type Corner = "nw" | "ne" | "sw" | "se";
export const corners: readonly Corner[] = ["nw", "ne", "sw", "se"];

/** Moves one corner to this point. The opposite corner stays in place. */
export function cornerAt(area: Area, corner: Corner, to: { readonly x: number; readonly y: number }): Area {
  const [x, w] = side(area.x, area.w, corner.endsWith("w"), to.x);
  const [y, h] = side(area.y, area.h, corner.startsWith("n"), to.y);
  return { page: area.page, x, y, w, h };
}

function side(start: number, size: number, isStart: boolean, to: number): [number, number] {
  const end = start + size;
  if (!isStart) return [start, exact(within(to, start + MIN_SIZE, 1) - start)];
  const moved = within(to, 0, end - MIN_SIZE);
  return [exact(moved), exact(end - moved)];
}

/** An area of this size, centred on this point. */
export function around(
  page: number,
  middle: { readonly x: number; readonly y: number },
  size: { readonly w: number; readonly h: number },
): Area {
  return onPage({ page, x: onGrid(middle.x - size.w / 2), y: onGrid(middle.y - size.h / 2), ...size });
}

export function overlap(one: Area, other: Area): boolean {
  if (one.page !== other.page) return false;
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}

export const isSame = (one: Area, other: Area): boolean =>
  one.page === other.page && one.x === other.x && one.y === other.y && one.w === other.w && one.h === other.h;

/** The rectangle between two points of a page. */
export function between(
  page: number,
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): Area {
  const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
  return { page, x, y, w: Math.abs(from.x - to.x), h: Math.abs(from.y - to.y) };
}
