import type { PlaceableFieldType } from "@countersign/client/types";
import type { AnchorRequest } from "./field.ts";
import type { Area } from "./geometry.ts";

/** A field next to anchor text, before it is placed. */
export interface Draft extends AnchorRequest {
  readonly type: PlaceableFieldType;
}

export const draftFor = (type: PlaceableFieldType, size: { readonly w: number; readonly h: number }): Draft => ({
  type,
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
