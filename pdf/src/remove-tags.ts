// Removes tags from a document: their glyphs, wherever they are, and every other place that repeats them. Everything else stays in place
// to a hundredth of a point, which is checked before the result is returned.

import { PdfArray, PdfDict } from "@libpdf/core";
import type { Box } from "./content/clip.ts";
import { cutDocumentTexts, cutMark, type ShouldRemove, tagKey, tagSet } from "./content/cut-texts.ts";
import { boxAround } from "./content/glyphs.ts";
import { createReader } from "./content/interpret.ts";
import { type PageTexts, readText } from "./content/page-texts.ts";
import { type Edit, rewriteShow } from "./content/rewrite-show.ts";
import { writeSources } from "./content/rewrite-sources.ts";
import type { Source } from "./content/sources.ts";
import { type Doc, numbers, type Page, register, resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import type { TagSpan } from "./find-tags.ts";

const TOLERANCE_PT = 0.01;

/** The number of removed tags, of pages they were on, and by page (from 1) where they were, in user space. */
export type RemovedTags = { readonly removed: number; readonly pages: number; readonly boxes: ReadonlyMap<number, readonly Box[]> };

/**
 * Removes the tags in `spans` from findTags; the document must not have changed since. Lines and boxes around a tag stay. Throws
 * UnreadablePdf `unparseable` if a tag is still found afterwards or anything else has moved; the Doc is then unusable.
 * @example removeTags(doc, findTags(doc).spans) // { removed: 4, pages: 2 }
 */
export function removeTags(doc: Doc, spans: readonly TagSpan[]): RemovedTags {
  const boxes = new Map<number, readonly Box[]>();
  if (spans.length === 0) return { removed: 0, pages: 0, boxes };
  const shouldRemove = tagSet(spans.map((span) => innerOf(span.tag)));
  const reader = createReader(doc);
  const expected: Expected[] = [];
  const annotationsSeen = new Set<PdfDict>();
  for (const page of doc.pages) ownAnnotations(doc, page, annotationsSeen);
  for (const page of doc.pages) {
    const here = spans.filter((span) => span.page === page.index + 1);
    if (here.length === 0) continue;
    const texts = readText(doc, reader, page);
    expected.push(expectedOf(texts, here));
    boxes.set(page.index + 1, boxesOf(doc, texts, here));
    removeGlyphs(doc, texts, new Set(here.flatMap((span) => span.glyphs)), shouldRemove);
    removeAnnotations(doc, page, new Set(here.flatMap((span) => span.annotation ?? [])));
  }
  cutDocumentTexts(doc, shouldRemove);
  const again = createReader(doc, reader.texts);
  for (const page of expected) checkResult(page, readText(doc, again, page.page));
  return { removed: spans.length, pages: expected.length, boxes };
}

function boxesOf(doc: Doc, { content, annotations }: PageTexts, here: readonly TagSpan[]): Box[] {
  const places = new Set(here.flatMap((span) => span.annotation ?? []));
  const rects = annotations.filter(({ index }) => places.has(index)).map(({ dict }) => numbers(doc, dict.get("Rect")) ?? []);
  const sorted = rects
    .filter((rect) => rect.length === 4)
    .map(([a = 0, b = 0, c = 0, d = 0]): Box => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);
  return [...here.flatMap((span) => span.glyphs.map((glyph) => boxAround(content.glyphs, glyph))), ...sorted];
}

const innerOf = (tag: string): string => tag.replace(/^\{\{|\}\}$/g, "");

function removeGlyphs(doc: Doc, { content }: PageTexts, gone: ReadonlySet<number>, shouldRemove: ShouldRemove): void {
  const { glyphs } = content;
  const edits = new Map<Source, Edit[]>();
  const add = (source: Source, edit: Edit): void => {
    edits.set(source, [...(edits.get(source) ?? []), edit]);
  };
  const runs = new Set([...gone].map((glyph) => glyphs.run[glyph] as number));
  const own = new Map([...runs].map((run) => [run, [] as number[]]));
  for (let glyph = 0; glyph < glyphs.count; glyph++) own.get(glyphs.run[glyph] as number)?.push(glyph);
  for (const [index, members] of own) {
    const run = glyphs.runs[index];
    if (run !== undefined)
      add(
        run.source,
        rewriteShow(glyphs, run, members, (glyph) => gone.has(glyph)),
      );
  }
  const goneBefore = countBefore(gone, content.marks.length === 0 ? 0 : glyphs.count);
  for (const mark of content.marks) {
    const goneInside = (goneBefore[mark.to] ?? 0) - (goneBefore[mark.from] ?? 0);
    const edit = cutMark(mark, shouldRemove, goneInside > 0 && goneInside === mark.to - mark.from);
    if (edit !== null) add(mark.source, edit);
  }
  if (edits.size > 0) writeSources(doc, edits, new Set(glyphs.runs.map((run) => run.source)));
}

/** For each index up to `count`, how many of the glyphs before it are gone. */
function countBefore(gone: ReadonlySet<number>, count: number): Uint32Array {
  const counts = new Uint32Array(count + 1);
  for (let glyph = 0; glyph < count; glyph++) counts[glyph + 1] = (counts[glyph] as number) + (gone.has(glyph) ? 1 : 0);
  return counts;
}

/** Copies annotations that an earlier page also lists, so that changes on this page do not affect the other. */
function ownAnnotations(doc: Doc, page: Page, seen: Set<PdfDict>): void {
  const annotations = resolve(doc, page.dict.get("Annots"));
  if (!(annotations instanceof PdfArray)) return;
  let shared = false;
  const items = annotations.toArray().map((item) => {
    const dict = resolve(doc, item);
    if (!(dict instanceof PdfDict)) return item;
    if (!seen.has(dict)) {
      seen.add(dict);
      return item;
    }
    shared = true;
    return register(doc, new PdfDict([...dict]));
  });
  if (shared) page.dict.set("Annots", new PdfArray(items));
}

/** Removes the annotations at these positions of `/Annots`, with their popups and replies. */
function removeAnnotations(doc: Doc, page: Page, places: ReadonlySet<number>): void {
  const annotations = resolve(doc, page.dict.get("Annots"));
  if (places.size === 0 || !(annotations instanceof PdfArray)) return;
  const items = annotations.toArray();
  const gone = new Set(items.filter((_, index) => places.has(index)).map((item) => resolve(doc, item)));
  const hangs = (item: PdfDict): boolean => ["Parent", "IRT"].some((key) => item.has(key) && gone.has(resolve(doc, item.get(key))));
  const kept = items.filter((item, index) => {
    const dict = resolve(doc, item);
    return !places.has(index) && !(dict instanceof PdfDict && hangs(dict));
  });
  page.dict.set("Annots", new PdfArray(kept));
}

/** What a page must contain afterwards: at most this many of each removed tag, and all other glyphs. */
type Expected = {
  readonly page: Page;
  readonly tags: ReadonlyMap<string, number>;
  readonly text: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly tolerance: number;
};

function expectedOf({ page, content, tags, annotations, displayed }: PageTexts, here: readonly TagSpan[]): Expected {
  const { glyphs } = content;
  const gone = new Set(here.flatMap((span) => span.glyphs));
  const places = new Set(here.flatMap((span) => span.annotation ?? []));
  const deleted = new Set(annotations.filter(({ index }) => places.has(index)).map(({ dict }) => dict));
  const kept: number[] = [];
  for (let glyph = 0; glyph < glyphs.count; glyph++)
    if (!gone.has(glyph) && !belongsTo(glyphs.runOf(glyph).source, deleted)) kept.push(glyph);
  const left = countByKey([...tags, ...annotations]);
  const removed = countByKey(here.map((span) => ({ inner: innerOf(span.tag) })));
  return {
    page,
    tags: new Map([...removed].map(([key, count]) => [key, (left.get(key) ?? 0) - count])),
    text: Int32Array.from(kept, (glyph) => glyphs.text[glyph] as number),
    x: Float64Array.from(kept, (glyph) => glyphs.x[glyph] as number),
    y: Float64Array.from(kept, (glyph) => glyphs.y[glyph] as number),
    tolerance: TOLERANCE_PT / displayed.user_unit,
  };
}

function checkResult({ tags, text, x, y, tolerance }: Expected, { content, tags: found, annotations }: PageTexts): void {
  const left = countByKey([...found, ...annotations]);
  for (const [key, most] of tags) if ((left.get(key) ?? 0) > most) throw new UnreadablePdf("unparseable", "a removed tag is still found");
  const { glyphs } = content;
  let same = glyphs.count === text.length;
  for (let i = 0; same && i < text.length; i++) {
    const moved = Math.hypot((glyphs.x[i] as number) - (x[i] as number), (glyphs.y[i] as number) - (y[i] as number));
    same = glyphs.text[i] === text[i] && moved <= tolerance;
  }
  if (!same) throw new UnreadablePdf("unparseable", "removing a tag changed other text");
}

function countByKey(tags: readonly { readonly inner: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { inner } of tags) counts.set(tagKey(inner), (counts.get(tagKey(inner)) ?? 0) + 1);
  return counts;
}

function belongsTo(source: Source, annotations: ReadonlySet<PdfDict>): boolean {
  if (annotations.size === 0) return false;
  if (source.from.kind === "form") return belongsTo(source.from.caller, annotations);
  return source.from.kind === "annotation" && annotations.has(source.from.annotation);
}
