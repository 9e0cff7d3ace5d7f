import { PdfRef } from "@libpdf/core";
import { type ComparedPage, comparePages, pagesToCompare } from "./compare-pages.ts";
import type { Doc } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { displayedPage } from "./page-tree.ts";
import type { Flattened } from "./remove-tags-and-flatten.ts";
import type { ExpectedChanges } from "./sanitize/expected-changes.ts";
import type { Sanitized } from "./sanitize.ts";
import { type Touched, unchangedPages } from "./unchanged-pages.ts";

/**
 * hidden_content_removed: content that cannot be seen was removed. look_changed: PDFium shows a page differently, without a loss, or would
 * take too long to show it. Where annotations are drawn that had no appearance, it is not compared. look_not_compared: PDFium could not
 * show the upload.
 */
export type PageWarning = {
  readonly code: "hidden_content_removed" | "look_changed" | "look_not_compared";
  /** From 1; empty if it concerns the whole document. */
  readonly pages: readonly number[];
};

/**
 * The pages, from 1, that certainly look the same apart from removed tags and fields, and those that cleaning changed on purpose, proven or
 * not.
 */
export function provenPages(
  upload: Doc,
  { bytes, doc, hidden, tags }: Pick<Flattened, "bytes" | "doc" | "hidden" | "tags">,
  expected: ReadonlyMap<number, ExpectedChanges>,
): { readonly proven: ReadonlySet<number>; readonly changed: ReadonlySet<number> } {
  const changed = new Set([...expected.keys(), ...tags.keys(), ...hidden.pages]);
  const provable = new Map<number, Touched>();
  for (const page of changed) {
    const { fields = [], hides = false, off = [], slow = false } = expected.get(page) ?? {};
    if (!hides && !slow && off.length === 0 && !hidden.pages.includes(page)) provable.set(page, { tagged: tags.has(page), fields });
  }
  const unchanged = unchangedPages({ bytes: upload.original, catalog: rootOf(upload) }, { bytes, catalog: rootOf(doc) }, provable);
  return { proven: new Set([...unchanged].filter((page) => !changed.has(page) || provable.has(page))), changed };
}

/** Compares the upload with the result. Throws UnreadablePdf `content_lost` with the page if something is missing without a reason. */
export async function compareLook(
  upload: Doc,
  { bytes, doc, hidden, tags }: Flattened,
  expected: ReadonlyMap<number, ExpectedChanges>,
  drawn: Sanitized["drawn"],
): Promise<PageWarning[]> {
  const displayed = doc.pages.map(({ dict }) => displayedPage(doc, dict));
  const { proven, changed } = provenPages(upload, { bytes, doc, hidden, tags }, expected);
  const touched = new Set([...changed].filter((page) => !proven.has(page)));
  const inDoubt = displayed.flatMap((_, index) => (touched.has(index + 1) || proven.has(index + 1) ? [] : [index + 1]));
  const chosen = pagesToCompare(
    inDoubt,
    [...touched].sort((a, b) => a - b),
  );
  const slow = chosen.filter((page) => expected.get(page)?.slow === true);
  const pages = chosen.flatMap((page): ComparedPage[] => {
    if (slow.includes(page)) return [];
    if (!touched.has(page)) return [{ page, allowed: null }];
    const { annotations, fields, off } = expected.get(page) ?? { annotations: [], fields: [], off: [] };
    const removed = tags.get(page) ?? [];
    const words = [...removed, ...(hidden.boxes.get(page) ?? []), ...annotations];
    const pixels = [...removed, ...fields, ...off, ...(drawn.get(page) ?? [])];
    return [{ page, allowed: { words, pixels, expected: annotations } }];
  });
  const { comparable, differences } = await comparePages(upload.original, bytes, pages, displayed);
  const lost = differences.find((difference) => difference.kind === "lost");
  if (lost !== undefined) throw new UnreadablePdf("content_lost", `page ${lost.page}`);
  const different = [...differences.map(({ page }) => page), ...slow].sort((a, b) => a - b);
  const hiding = [...expected].flatMap(([page, { hides }]) => (hides ? [page] : []));
  const unseen = [...new Set([...hidden.pages, ...hiding])].sort((a, b) => a - b);
  return [
    ...(unseen.length > 0 ? [{ code: "hidden_content_removed", pages: unseen } as const] : []),
    ...(different.length > 0 ? [{ code: "look_changed", pages: different } as const] : []),
    ...(comparable ? [] : [{ code: "look_not_compared", pages: [] } as const]),
  ];
}

function rootOf(doc: Doc): number {
  const root = doc.pdf.context.info.trailer.get("Root");
  return root instanceof PdfRef ? root.objectNumber : 0;
}
