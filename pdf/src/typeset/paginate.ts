// Assigns strips to pages and positions.

import type { Strip } from "./strip.ts";

export type Placed = { readonly strip: Strip; readonly y_pt: number };

// A header that takes more of a page than this is not repeated, because there would be no space for the rows.
const HEAD_MOST_OF_PAGE = 0.3;

// A chapter that starts a new page continues below a few lines left over from the previous one; a page for these alone would look lost.
const HARDLY_BEGUN = 0.3;

/** `room_pt` is the height of a page's text. Places every strip once, in order, and repeats table headers after page breaks. */
export function paginate(strips: readonly Strip[], room_pt: number): Placed[][] {
  const pages: Placed[][] = [];
  let page: Placed[] = [];
  let y = 0;
  const place = (strip: Strip): void => {
    const top = page.length === 0 ? 0 : y + strip.above_pt;
    page.push({ strip, y_pt: top });
    y = top + strip.h_pt;
  };
  const turn = (next: Strip): void => {
    if (page.length > 0) pages.push(page);
    [page, y] = [[], 0];
    const head = next.head ?? [];
    if (heightOf(head) <= HEAD_MOST_OF_PAGE * room_pt) for (const strip of head) place(strip);
  };
  for (const together of heldTogether(strips)) {
    const [first] = together;
    if (first === undefined) continue;
    const begins = first.new_page === true && y > HARDLY_BEGUN * room_pt;
    if (page.length > 0 && (begins || y + heightOf(together) > room_pt)) turn(first);
    for (const strip of together) {
      if (page.length > 0 && y + strip.above_pt + strip.h_pt > room_pt + 1e-6) turn(strip);
      place(strip);
    }
  }
  if (page.length > 0) pages.push(page);
  return pages;
}

const heightOf = (strips: readonly Strip[]): number => strips.reduce((sum, { above_pt, h_pt }) => sum + above_pt + h_pt, 0);

function* heldTogether(strips: readonly Strip[]): Generator<readonly Strip[]> {
  let from = 0;
  for (const [index, strip] of strips.entries()) {
    if (strip.holds_next && index < strips.length - 1) continue;
    yield strips.slice(from, index + 1);
    from = index + 1;
  }
}
