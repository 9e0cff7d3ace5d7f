import { dropStructureClaim } from "./archive-claim.ts";
import { type Doc, type Page, save } from "./doc.ts";
import type { TagSpan } from "./find-tags.ts";
import { openPdf } from "./open.ts";
import { displayedPage } from "./page-tree.ts";
import { type RemovedHidden, removeHidden } from "./remove-hidden.ts";
import { type RemovedTags, removeTags } from "./remove-tags.ts";
import { assertClean, type Sanitized } from "./sanitize.ts";
import { openFontBook } from "./stamp/embed-fonts.ts";
import { flattenAnnotations, hasAnnotations } from "./stamp/flatten-annotations.ts";

export type Flattened = {
  readonly bytes: Uint8Array;
  readonly doc: Doc;
  readonly warnings: readonly "annotations_removed"[];
  readonly hidden: RemovedHidden;
  /** Where tags were, by page. */
  readonly tags: RemovedTags["boxes"];
};

/**
 * Removes the tags, then what cannot be seen, and makes annotations part of the page, so that nothing lies above what is drawn later.
 * `hiddenOn` are the indices of pages with hidden content, which may be nothing but tags.
 */
export async function removeTagsAndFlatten(
  { doc, bytes: cleanBytes }: Pick<Sanitized, "doc" | "bytes">,
  spans: readonly TagSpan[],
  hiddenOn: readonly number[],
): Promise<Flattened> {
  const annotated = (): Page[] => doc.pages.filter((page) => hasAnnotations(doc, page));
  if (spans.length === 0 && hiddenOn.length === 0 && annotated().length === 0)
    return { bytes: cleanBytes, doc, warnings: [], hidden: { pages: [], boxes: new Map() }, tags: new Map() };
  const before = doc.pages.map(({ dict }) => displayedPage(doc, dict));
  const { boxes: tags } = removeTags(doc, spans);
  const hidden = removeHidden(doc, hiddenOn);
  const book = openFontBook(doc);
  if (annotated().length > 0) dropStructureClaim(doc);
  const gone = annotated().reduce((sum, page) => sum + flattenAnnotations(doc, page, book), 0);
  book.finish();
  const bytes = await save(doc);
  const again = await openPdf(bytes, doc.budget);
  await assertClean(again, before);
  return { bytes, doc: again, warnings: gone === 0 ? [] : ["annotations_removed"], hidden, tags };
}
