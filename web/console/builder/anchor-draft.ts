import type { PlaceableFieldType } from "@countersign/client/types";
import type { AnchorRequest } from "./field.ts";
import { type Area, exact } from "./geometry.ts";

/** A field next to anchor text, before it is placed. */
export interface Draft extends AnchorRequest {
  readonly type: PlaceableFieldType;
  /** where the field is, seen from the text; null if the user has entered another offset */
  readonly side: Side | null;
}

export const sides = ["right", "below", "above", "left"] as const;
export type Side = (typeof sides)[number];

interface Size {
  readonly w: number;
  readonly h: number;
}

// Between the text and the field, as a fraction of the page.
const GAP = 0.01;

/** The offsets that place a field of this size on one side of the text, completely on the page; null if there is no room. */
export function offsetsAt(match: Area, { w, h }: Size, side: Side): Pick<Draft, "offset_x" | "offset_y"> | null {
  const middle = match.y + (match.h - h) / 2;
  const places: Record<Side, readonly [number, number]> = {
    right: [match.x + match.w + GAP, within(middle, 1 - h)],
    left: [match.x - GAP - w, within(middle, 1 - h)],
    below: [within(match.x, 1 - w), match.y + match.h + GAP],
    above: [within(match.x, 1 - w), match.y - GAP - h],
  };
  const [x, y] = places[side];
  if (x < 0 || y < 0 || x + w > 1 || y + h > 1) return null;
  return { offset_x: exact(x - match.x), offset_y: exact(y - match.y) };
}

const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));

/** The sides of the text on which there is room for the field. */
export const sidesWithRoom = (match: Area, size: Size): readonly Side[] => sides.filter((side) => offsetsAt(match, size, side) !== null);

/** The draft beside this match: on its side if there is room, otherwise on the first one that has room. Own offsets stay as they are. */
export function besideMatch(draft: Draft, match: Area | undefined): Draft {
  if (match === undefined || draft.side === null) return draft;
  const room = sidesWithRoom(match, draft);
  const side = room.includes(draft.side) ? draft.side : (room[0] ?? draft.side);
  return { ...draft, ...offsetsAt(match, draft, side), side };
}

export const draftFor = (type: PlaceableFieldType, size: Size): Draft => ({
  type,
  side: "right",
  anchor_text: "",
  occurrence: 1,
  offset_x: 0,
  offset_y: 0,
  ...size,
});

export const anchorRequestOf = ({
  anchor_text,
  occurrence,
  offset_x,
  offset_y,
  w,
  h,
}: Draft): AnchorRequest & { readonly mode: "anchor" } => ({
  mode: "anchor",
  anchor_text,
  occurrence,
  offset_x,
  offset_y,
  w,
  h,
});

/** Where the field will be, clipped to the page as on the server; null if it is completely outside the page. */
export function anchoredArea(match: Area, { offset_x, offset_y, w, h }: Pick<Draft, "offset_x" | "offset_y" | "w" | "h">): Area | null {
  const [left, top] = [match.x + offset_x, match.y + offset_y];
  const [x, y] = [Math.max(0, left), Math.max(0, top)];
  const area = { page: match.page, x, y, w: Math.min(1, left + w) - x, h: Math.min(1, top + h) - y };
  return area.w > 0 && area.h > 0 ? area : null;
}
