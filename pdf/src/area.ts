// Coordinates on the displayed page. All areas are fractions of this page, measured from its top left corner. Content streams use user
// space, which starts wherever the page boxes start and is not rotated (ISO 32000-2, 7.7.3.3 and 8.3.2).

import type { Matrix } from "./content/matrix.ts";
import type { DisplayedPage } from "./page-tree.ts";

/** A rectangle on a displayed page. `page` counts from 1; the other members are fractions of the page's width and height. */
export type Area = { readonly page: number; readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/** Maps user space to fractions of the displayed page. */
export function toFractions({ x, y, w, h, rotate }: DisplayedPage): Matrix {
  switch (rotate) {
    case 0:
      return [1 / w, 0, 0, -1 / h, -x / w, 1 + y / h];
    case 90:
      return [0, 1 / w, 1 / h, 0, -y / h, -x / w];
    case 180:
      return [-1 / w, 0, 0, 1 / h, 1 + x / w, -y / h];
    case 270:
      return [0, -1 / w, -1 / h, 0, 1 + y / h, 1 + x / w];
  }
}

/**
 * Maps points on the displayed page, measured down from its top left corner, to user space, for drawing that is upright for the reader.
 */
export function fromDisplayedPoints({ x, y, w, h, rotate, user_unit }: DisplayedPage): Matrix {
  const s = 1 / user_unit;
  switch (rotate) {
    case 0:
      return [s, 0, 0, -s, x, y + h];
    case 90:
      return [0, s, s, 0, x, y];
    case 180:
      return [-s, 0, 0, s, x + w, y];
    case 270:
      return [0, -s, -s, 0, x + w, y + h];
  }
}

/** The bounding box of a set of points, in fractions. Starts empty; `extend` extends it. */
export type Extent = { left: number; top: number; right: number; bottom: number };

export const emptyExtent = (): Extent => ({ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });

/** Extends the bounding box by points in user space, given as alternating x and y. */
export function extend(extent: Extent, points: readonly number[], m: Matrix): void {
  for (let i = 0; i + 1 < points.length; i += 2) {
    const px = points[i] ?? 0;
    const py = points[i + 1] ?? 0;
    const x = m[0] * px + m[2] * py + m[4];
    const y = m[1] * px + m[3] * py + m[5];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    extent.left = Math.min(extent.left, x);
    extent.right = Math.max(extent.right, x);
    extent.top = Math.min(extent.top, y);
    extent.bottom = Math.max(extent.bottom, y);
  }
}

/** Whether any part is on the page. */
export const isOnPage = ({ left, top, right, bottom }: Extent): boolean => left < 1 && right > 0 && top < 1 && bottom > 0;

// Two hundredths of a point on the largest page that we accept.
const DECIMALS = 1e6;
const rounded = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;

/** The bounding box as an area, clipped to the page. */
export function areaOf(page: number, extent: Extent): Area {
  const [left, top, right, bottom] = [extent.left, extent.top, extent.right, extent.bottom].map((edge) =>
    Math.min(1, Math.max(0, edge)),
  ) as [number, number, number, number];
  const x = rounded(left);
  const y = rounded(top);
  return { page, x, y, w: rounded(rounded(right) - x), h: rounded(rounded(bottom) - y) };
}

/**
 * The part of an area that is on the page, and whether anything was cut off; null if nothing is on the page.
 * @example clipArea({ page: 1, x: 0.9, y: 0, w: 0.2, h: 0.1 }) // { area: { page: 1, x: 0.9, y: 0, w: 0.1, h: 0.1 }, clipped: true }
 */
export function clipArea(area: Area): { area: Area; clipped: boolean } | null {
  const extent: Extent = { left: area.x, top: area.y, right: area.x + area.w, bottom: area.y + area.h };
  if (!isOnPage(extent)) return null;
  // Rounding errors do not count as being off the page.
  const beyond = 1 / DECIMALS;
  const cut = areaOf(area.page, extent);
  // The rest is too small to see or to sign in.
  if (cut.w <= 0 || cut.h <= 0) return null;
  const clipped = extent.left < -beyond || extent.top < -beyond || extent.right > 1 + beyond || extent.bottom > 1 + beyond;
  return { area: cut, clipped };
}

/** The position of a field relative to a match: offsets from the match's top left corner, and the size. All are fractions of the page. */
export type Offset = { readonly offset_x?: number; readonly offset_y?: number; readonly w: number; readonly h: number };

/**
 * The area of a field placed relative to a match, clipped to the page; null if it is completely off the page.
 * @example placeAgainst(found.match, { offset_y: 0.02, w: 0.2, h: 0.05 })
 */
export function placeAgainst(match: Area, { offset_x = 0, offset_y = 0, w, h }: Offset): { area: Area; clipped: boolean } | null {
  return clipArea({ page: match.page, x: match.x + offset_x, y: match.y + offset_y, w, h });
}
