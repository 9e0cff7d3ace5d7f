// A document is a stack of strips, each as wide as the page's text and one line high, so that a page can break anywhere in long content.

import type { Sheet } from "../stamp/sheet.ts";
import type { Element } from "./structure.ts";

/** Draws with the strip's top edge at `y`. */
export type Draw = (sheet: Sheet, y: number) => void;

export type Strip = {
  readonly h_pt: number;
  /** Space above it, except at the top of a page. */
  readonly above_pt: number;
  /** No page break right after it, unless what must stay together is longer than a page. */
  readonly holds_next: boolean;
  /** Drawn below everything else: the tint of a box. */
  readonly ground?: Draw;
  /** The cells next to each other. Strips of one `row` are drawn layer by layer, so that text extraction gives whole cells. */
  readonly layers: readonly (Draw | null)[];
  /** The element that each layer belongs to; null and missing ones are decoration. */
  readonly elements?: readonly (Element | null)[];
  readonly row?: object;
  /** Repeated if this strip is the first on a page: the header of a table. */
  readonly head?: readonly Strip[];
  readonly outline?: { readonly level: 1 | 2; readonly text: string };
  readonly new_page?: boolean;
};

// Shorter content stays on one page; longer content has at least two lines on each side of a page break.
const MOST_TOGETHER = 10;

/** Whether line `index` of `count` is kept with the next: no line of a text is alone at the bottom or top of a page. */
export function holdsNext(index: number, count: number, most_together = MOST_TOGETHER): boolean {
  if (index === count - 1) return false;
  return count <= most_together || index === 0 || index === count - 2;
}
