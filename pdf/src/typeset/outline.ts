// The headings as the outline that viewers show next to the pages (ISO 32000-2, 12.3.3).

import { type PDF, PdfArray, PdfDict, PdfName, PdfNull, PdfNumber, type PdfRef, PdfString } from "@libpdf/core";
import { register } from "../doc.ts";
import type { Placed } from "./paginate.ts";

type Heading = { readonly level: 1 | 2; readonly text: string; readonly page: PdfRef; readonly top: number };
type Item = { readonly heading: Heading; readonly below: Item[] };

/** `top_pt` is the top of a page's text, measured from the bottom. Null if there are no headings. */
export function outlineOf(
  doc: { readonly pdf: PDF },
  pages: readonly (readonly Placed[])[],
  refs: readonly PdfRef[],
  top_pt: number,
): PdfRef | null {
  const headings = pages.flatMap((placed, index) =>
    placed.flatMap(({ strip: { outline }, y_pt }): Heading[] =>
      outline === undefined ? [] : [{ ...outline, page: refs[index] as PdfRef, top: top_pt - y_pt }],
    ),
  );
  if (headings.length === 0) return null;
  const root = PdfDict.of({ Type: PdfName.of("Outlines") });
  const ref = register(doc, root);
  link(doc, root, ref, nested(headings));
  return ref;
}

// A second-level heading without a first-level heading before it is shown on the first level.
function nested(headings: readonly Heading[]): Item[] {
  const items: Item[] = [];
  for (const heading of headings) {
    const above = items.at(-1);
    (heading.level === 2 && above !== undefined ? above.below : items).push({ heading, below: [] });
  }
  return items;
}

/** A negative count means that an item is closed: a long certificate shows its chapters first. */
function link(doc: { readonly pdf: PDF }, parent: PdfDict, parentRef: PdfRef, items: readonly Item[]): void {
  const dicts = items.map(({ heading: { text, page, top } }) =>
    PdfDict.of({
      Title: PdfString.fromString(text),
      Parent: parentRef,
      Dest: new PdfArray([page, PdfName.of("XYZ"), PdfNull.instance, PdfNumber.of(Math.round(top)), PdfNull.instance]),
    }),
  );
  const refs = dicts.map((dict) => register(doc, dict));
  for (const [index, dict] of dicts.entries()) {
    const [before, after] = [refs[index - 1], refs[index + 1]];
    if (before !== undefined) dict.set("Prev", before);
    if (after !== undefined) dict.set("Next", after);
    const below = items[index]?.below ?? [];
    if (below.length > 0) {
      link(doc, dict, refs[index] as PdfRef, below);
      dict.set("Count", PdfNumber.of(-below.length));
    }
  }
  parent.set("First", refs[0] as PdfRef);
  parent.set("Last", refs.at(-1) as PdfRef);
  parent.set("Count", PdfNumber.of(items.length));
}
