// A document is a stack of strips, each as wide as the page's text and as high as one line: whatever is long, a page can end in it.

import type { Sheet } from "../stamp/sheet.ts";

/** Draws with the strip's upper edge at `y`. */
export type Draw = (sheet: Sheet, y: number) => void;

export type Strip = {
  readonly h_pt: number;
  /** White above it; not at the top of a page. */
  readonly above_pt: number;
  /** The page does not end right after it, unless what must stay together is longer than a page. */
  readonly holds_next: boolean;
  /** Below everything else: the tint of a box. */
  readonly ground?: Draw;
  /** What stands beside each other. Strips of one `row` are drawn one layer after the other: a reader of the text gets whole cells. */
  readonly layers: readonly (Draw | null)[];
  readonly row?: object;
  /** Drawn again where it is the first on a page: the head of a table. */
  readonly head?: readonly Strip[];
  readonly outline?: { readonly level: 1 | 2; readonly text: string };
  readonly new_page?: boolean;
};

// What is shorter stays on one page; of what is longer, two lines at least stand on either side of a break.
const MOST_TOGETHER = 10;

/** Whether line `index` of `count` holds the next: no line of a text is alone at the foot or at the head of a page. */
export function holdsNext(index: number, count: number, most_together = MOST_TOGETHER): boolean {
  if (index === count - 1) return false;
  return count <= most_together || index === 0 || index === count - 2;
}
