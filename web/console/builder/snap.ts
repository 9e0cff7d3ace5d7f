import { type Area, type Corner, cornerAt } from "./geometry.ts";

/** Snaps a dragged box to the edges, middles and sizes of other boxes. */

/** A guide line that the box snapped to. `like` is the box whose size it matches. */
export interface Guide {
  readonly page: number;
  readonly axis: "x" | "y";
  readonly at: number;
  readonly like?: Area;
}

export interface Snapped {
  readonly area: Area;
  readonly guides: readonly Guide[];
}

// In fractions of the page. With a larger distance, a box could not be placed close to a line without snapping to it.
const SNAP_DISTANCE = 0.006;

interface Meeting {
  /** how far the box must move */
  readonly by: number;
  readonly at: number;
  readonly like?: Area;
}

/** edge, middle, edge */
type Lines = readonly [number, number, number];
const linesOf = (start: number, size: number): Lines => [start, start + size / 2, start + size];

/** Edges snap to edges, and the middle snaps to the middle. */
const meetings = (own: Lines, theirs: Lines): readonly Meeting[] =>
  theirs.flatMap((at, there) => own.flatMap((line, here) => ((there === 1) === (here === 1) ? [{ by: at - line, at }] : [])));

function nearest(found: readonly Meeting[]): Meeting | null {
  const close = found.filter(({ by }) => Math.abs(by) <= SNAP_DISTANCE);
  return close.reduce<Meeting | null>((best, one) => (best === null || Math.abs(one.by) < Math.abs(best.by) ? one : best), null);
}

const guideOf = (page: number, axis: "x" | "y", { at, like }: Meeting): Guide => ({ page, axis, at, ...(like !== undefined && { like }) });

/** Snaps a box that is being moved. */
export function snapMove(area: Area, others: readonly Area[]): Snapped {
  const near = others.filter(({ page }) => page === area.page);
  const x = nearest(near.flatMap((other) => meetings(linesOf(area.x, area.w), linesOf(other.x, other.w))));
  const y = nearest(near.flatMap((other) => meetings(linesOf(area.y, area.h), linesOf(other.y, other.h))));
  const guides = [...(x === null ? [] : [guideOf(area.page, "x", x)]), ...(y === null ? [] : [guideOf(area.page, "y", y)])];
  return { area: { ...area, x: area.x + (x?.by ?? 0), y: area.y + (y?.by ?? 0) }, guides };
}

/** Snaps a corner to the lines of other boxes on the page, or to the size of any other box. */
export function snapCorner(area: Area, corner: Corner, others: readonly Area[]): Snapped {
  const [isWest, isNorth] = [corner.endsWith("w"), corner.startsWith("n")];
  const [right, bottom] = [area.x + area.w, area.y + area.h];
  const edge = { x: isWest ? area.x : right, y: isNorth ? area.y : bottom };
  const near = others.filter(({ page }) => page === area.page);
  const met = (at: number, from: number): Meeting => ({ by: at - from, at });
  const x = nearest([
    ...near.flatMap((one) => linesOf(one.x, one.w).map((at) => met(at, edge.x))),
    ...others.map((like) => ({ ...met(isWest ? right - like.w : area.x + like.w, edge.x), like })),
  ]);
  const y = nearest([
    ...near.flatMap((one) => linesOf(one.y, one.h).map((at) => met(at, edge.y))),
    ...others.map((like) => ({ ...met(isNorth ? bottom - like.h : area.y + like.h, edge.y), like })),
  ]);
  const to = { x: edge.x + (x?.by ?? 0), y: edge.y + (y?.by ?? 0) };
  const guides = [...(x === null ? [] : [guideOf(area.page, "x", x)]), ...(y === null ? [] : [guideOf(area.page, "y", y)])];
  return { area: cornerAt(area, corner, to), guides };
}
