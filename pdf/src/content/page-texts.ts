// Reads a document for tags and anchors, page by page. Anchors are searched in the text without tags, so that the stored file, from which
// the tags were removed, gives the same results as the upload.

import { PdfArray, PdfDict, PdfString } from "@libpdf/core";
import { type Doc, type Page, resolve } from "../doc.ts";
import { type DisplayedPage, displayedPage } from "../page-tree.ts";
import { nameOf } from "./font-values.ts";
import { isHidden, type Run } from "./glyphs.ts";
import { type ContentReader, createReader } from "./interpret.ts";
import type { PageContent } from "./machine.ts";
import type { Source } from "./sources.ts";
import { type FoundTag, findTagText } from "./tag-search.ts";
import { indexPage, type TextIndex } from "./text-index.ts";
import { decodeText } from "./text-strings.ts";

/** An annotation whose `/Contents` is exactly one tag. `index` is its position in `/Annots`. */
export type TagAnnotation = { readonly inner: string; readonly index: number; readonly dict: PdfDict };

export type PageTexts = {
  readonly page: Page;
  readonly displayed: DisplayedPage;
  readonly content: PageContent;
  readonly index: TextIndex;
  readonly tags: readonly FoundTag[];
  /** the texts after braces that are never closed */
  readonly unclosed: readonly string[];
  readonly annotations: readonly TagAnnotation[];
};

export function* readTexts(doc: Doc, reader: ContentReader = createReader(doc)): Generator<PageTexts> {
  for (const page of doc.pages) yield readText(doc, reader, page);
}

export function readText(doc: Doc, reader: ContentReader, page: Page): PageTexts {
  const content = reader.readPage(page);
  const annotations = tagAnnotations(doc, page);
  const own = new Set(annotations.map(({ dict }) => dict));
  const isOwn = (run: Run): boolean => own.size > 0 && own.has(annotationOf(run.source) as PdfDict);
  const index = indexPage(content, reader.texts, own.size === 0 ? () => false : (glyph) => isOwn(content.glyphs.runOf(glyph)));
  return { page, displayed: displayedPage(doc, page.dict), content, index, ...findTagText(index), annotations };
}

/** The index in which anchors are searched: without tags and without hidden content. */
export function anchorIndex(texts: PageTexts, reader: ContentReader): TextIndex {
  const { content, tags, index } = texts;
  const hidden = content.glyphs.runs.some((run) => run.off || run.clip !== null);
  const own = new Set(texts.annotations.map(({ dict }) => dict));
  if (tags.length === 0 && !hidden && own.size === 0) return index;
  const inTags = new Set(tags.flatMap((tag) => tag.glyphs));
  return indexPage(content, reader.texts, (glyph) => {
    if (isHidden(content.glyphs, glyph) || inTags.has(glyph)) return true;
    return own.size > 0 && own.has(annotationOf(content.glyphs.runOf(glyph).source) as PdfDict);
  });
}

/** The annotation to which a source belongs; null for the page's own content. */
function annotationOf(source: Source): PdfDict | null {
  let from = source.from;
  while (from.kind === "form") from = from.caller.from;
  return from.kind === "annotation" ? from.annotation : null;
}

const ONLY_A_TAG = /^\s*\{\{([^{}]{1,500})\}\}\s*$/;

export function tagAnnotations(doc: Doc, page: Page): TagAnnotation[] {
  const annotations = resolve(doc, page.dict.get("Annots"));
  if (!(annotations instanceof PdfArray)) return [];
  return annotations.toArray().flatMap((item, index) => {
    const dict = resolve(doc, item);
    if (!(dict instanceof PdfDict) || nameOf(doc, dict.get("Subtype")) === "Popup") return [];
    const contents = resolve(doc, dict.get("Contents"));
    const inner = contents instanceof PdfString ? ONLY_A_TAG.exec(decodeText(contents.bytes))?.[1] : undefined;
    return inner === undefined || /^[\s;]*$/.test(inner) ? [] : [{ inner, index, dict }];
  });
}
