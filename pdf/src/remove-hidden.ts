// Removes content that cannot be seen, so that no one signs it unread: what is in a layer that is off, clipped away, or outside the
// visible box of its page. Everything else stays in place, which is checked before the result is returned. White text and invisible text
// (render mode 3, as in a scan with recognized text) are not hidden in this sense.

import { PdfArray, PdfDict, PdfNumber, type PdfObject, PdfRef, PdfStream } from "@libpdf/core";
import type { Box } from "./content/clip.ts";
import { emptiedMark } from "./content/cut-texts.ts";
import { boxAround, type Glyphs, isHidden } from "./content/glyphs.ts";
import { createReader } from "./content/interpret.ts";
import type { PageContent } from "./content/machine.ts";
import { type Edit, latin1, rewriteShow } from "./content/rewrite-show.ts";
import { writeSources } from "./content/rewrite-sources.ts";
import type { Source } from "./content/sources.ts";
import { type Doc, type Page, resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { empty, keepAnnotations } from "./sanitize/find-active.ts";
import { structureElements } from "./sanitize/structure-elements.ts";

const TOLERANCE_PT = 0.01;

/** The pages, from 1, from which something was removed, and where its text was. */
export type RemovedHidden = { readonly pages: readonly number[]; readonly boxes: ReadonlyMap<number, readonly Box[]> };

/** Whether a page has content that cannot be seen. */
export function hasHidden({ glyphs, hidden }: PageContent): boolean {
  return hidden.length > 0 || hiddenGlyphs(glyphs).length > 0;
}

/**
 * Removes the hidden content of the given pages (indices). Forms that are used elsewhere too are copied first. Throws UnreadablePdf
 * `unparseable` if something else has changed or something hidden is left; the Doc is then unusable.
 */
export function removeHidden(doc: Doc, indices: readonly number[]): RemovedHidden {
  const reader = createReader(doc);
  const expected = new Map<number, Seen>();
  const boxes = new Map<number, Box[]>();
  const retired = new Set<PdfStream>();
  const unseen = new Map<PdfDict, ReadonlySet<number>>();
  for (const page of indices.flatMap((index) => doc.pages[index] ?? [])) {
    const content = reader.readPage(page);
    const gone = hiddenGlyphs(content.glyphs);
    if (gone.length === 0 && content.hidden.length === 0) continue;
    expected.set(page.index, seenOf(content));
    boxes.set(
      page.index + 1,
      gone.map((glyph) => boxAround(content.glyphs, glyph)),
    );
    removeFromPage(doc, page, content, gone, retired);
    unseen.set(page.dict, content.hiddenIds);
  }
  if (expected.size === 0) return { pages: [], boxes };
  cutStructure(doc, unseen);
  const again = createReader(doc, reader.texts);
  const painted = new Set<PdfStream>();
  for (const page of doc.pages) {
    const content = again.readPage(page);
    for (const object of content.painted) painted.add(object);
    const seen = expected.get(page.index);
    if (seen !== undefined) check(seen, content);
  }
  emptyRetired(doc, new Set([...retired].filter((object) => !painted.has(object))));
  return { pages: [...expected.keys()].map((index) => index + 1), boxes };
}

export function hiddenGlyphs(glyphs: Glyphs): number[] {
  if (!glyphs.runs.some((run) => run.off || run.clip !== null)) return [];
  const gone: number[] = [];
  for (let glyph = 0; glyph < glyphs.count; glyph++) if (isHidden(glyphs, glyph)) gone.push(glyph);
  return gone;
}

function removeFromPage(doc: Doc, page: Page, content: PageContent, gone: readonly number[], retired: Set<PdfStream>): void {
  const edits = new Map<Source, Edit[]>();
  const unpainted = new Set(content.hidden.flatMap((part) => part.painting ?? []));
  const ends = new Map<Source, number>();
  const add = (source: Source, edit: Edit): void => {
    const own = edits.get(source) ?? [];
    const end = ends.get(source) ?? 0;
    edits.set(source, own);
    // Most edits follow the ones before. Comparing each with all others would take seconds for 20,000 hidden lines.
    if (edit.start < end && own.some((other) => edit.start < other.end && other.start < edit.end)) return;
    own.push(edit);
    ends.set(source, Math.max(end, edit.end));
  };
  for (const { source, start, end, rest, object, annotation, properties } of content.hidden) {
    if (object !== undefined) retired.add(object);
    for (const key of ["ActualText", "Alt", "E"]) properties?.delete(key);
    if (annotation === undefined && !isWithin(source, unpainted)) add(source, { start, end, bytes: latin1(` ${rest} `) });
  }
  editGlyphs(content, new Set(gone), (source, edit) => {
    if (!isWithin(source, unpainted)) add(source, edit);
  });
  for (const source of edits.keys()) if (source.from.kind !== "page") retireCallers(source, retired);
  if (edits.size > 0) writeSources(doc, edits, new Set(content.sources));
  const annotations = new Set(content.hidden.flatMap((part) => part.annotation ?? []));
  if (annotations.size === 0) return;
  keepAnnotations(doc, page.dict, (annotation) => !annotations.has(annotation));
  for (const annotation of annotations) empty(annotation);
}

function editGlyphs(content: PageContent, gone: ReadonlySet<number>, add: (source: Source, edit: Edit) => void): void {
  const { glyphs, marks } = content;
  const own = new Map<number, number[]>();
  for (const glyph of gone) own.set(glyphs.run[glyph] as number, []);
  for (let glyph = 0; own.size > 0 && glyph < glyphs.count; glyph++) own.get(glyphs.run[glyph] as number)?.push(glyph);
  for (const [index, members] of own) {
    const run = glyphs.runs[index];
    if (run === undefined) continue;
    add(
      run.source,
      rewriteShow(glyphs, run, members, (glyph) => gone.has(glyph)),
    );
  }
  // A replacement text of nothing but hidden glyphs would be all that is left of them.
  for (const mark of marks) {
    let isGone = mark.to > mark.from;
    for (let glyph = mark.from; isGone && glyph < mark.to; glyph++) isGone = gone.has(glyph);
    if (isGone) add(mark.source, emptiedMark(mark));
  }
}

function isWithin(source: Source, unpainted: ReadonlySet<Source>): boolean {
  let at = source;
  while (!unpainted.has(at)) {
    if (at.from.kind !== "form") return false;
    at = at.from.caller;
  }
  return true;
}

/** A form that is edited is replaced by a copy, and so are the forms that paint it. */
function retireCallers(source: Source, retired: Set<PdfStream>): void {
  const { from } = source;
  if (from.kind === "page") return;
  retired.add(from.stream);
  if (from.kind === "form") retireCallers(from.caller, retired);
}

/** The glyphs of a page that can be seen. */
type Seen = { readonly text: Int32Array; readonly x: Float64Array; readonly y: Float64Array };

function seenOf({ glyphs }: PageContent): Seen {
  const gone = new Set(hiddenGlyphs(glyphs));
  const kept: number[] = [];
  for (let glyph = 0; glyph < glyphs.count; glyph++) if (!gone.has(glyph)) kept.push(glyph);
  return {
    text: Int32Array.from(kept, (glyph) => glyphs.text[glyph] as number),
    x: Float64Array.from(kept, (glyph) => glyphs.x[glyph] as number),
    y: Float64Array.from(kept, (glyph) => glyphs.y[glyph] as number),
  };
}

function check({ text, x, y }: Seen, content: PageContent): void {
  if (hasHidden(content)) throw new UnreadablePdf("unparseable", "hidden content is left after removing it");
  const { glyphs } = content;
  let isSame = glyphs.count === text.length;
  for (let i = 0; isSame && i < text.length; i++) {
    const moved = Math.hypot((glyphs.x[i] as number) - (x[i] as number), (glyphs.y[i] as number) - (y[i] as number));
    isSame = glyphs.text[i] === text[i] && !(moved > TOLERANCE_PT);
  }
  if (!isSame) throw new UnreadablePdf("unparseable", "removing hidden content changed other text");
}

/** Removes the texts of structure elements that consist of hidden content only (ISO 32000-2, 14.7.5). */
function cutStructure(doc: Doc, unseen: ReadonlyMap<PdfDict, ReadonlySet<number>>): void {
  for (const { element, kids } of structureElements(doc)) {
    const isUnseen = (item: PdfObject): boolean => {
      const kid = resolve(doc, item);
      const id = resolve(doc, kid instanceof PdfDict ? kid.get("MCID") : kid);
      const page = resolve(doc, (kid instanceof PdfDict ? kid.get("Pg") : undefined) ?? element.get("Pg"));
      return id instanceof PdfNumber && page instanceof PdfDict && unseen.get(page)?.has(id.value) === true;
    };
    if (kids.length > 0 && kids.every(isUnseen)) for (const key of ["ActualText", "Alt", "E", "T"]) element.delete(key);
  }
}

/** Other pages may still list these objects among their resources without painting them, so they are emptied. */
function emptyRetired(doc: Doc, retired: ReadonlySet<PdfStream>): void {
  if (retired.size === 0) return;
  const used = usedInside(doc, retired);
  for (const object of retired) {
    if (used.has(object)) continue;
    empty(object);
    object.setData(new Uint8Array(0));
  }
}

// What is painted inside patterns, Type 3 glyphs, soft masks and appearances that are not shown is not interpreted.
const NOT_INTERPRETED = new Set(["Pattern", "Font", "ExtGState", "AP"]);

/** The objects that can be reached through something that is not interpreted. */
function usedInside(doc: Doc, objects: ReadonlySet<PdfStream>): Set<PdfStream> {
  const used = new Set<PdfStream>();
  const seen = [new Set<PdfObject>(), new Set<PdfObject>()] as const;
  const open: { value: PdfObject; inside: boolean }[] = [{ value: doc.catalog, inside: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const value = next.value instanceof PdfRef ? doc.pdf.context.resolve(next.value) : next.value;
    const { inside } = next;
    if (value === null || seen[inside ? 1 : 0].has(value)) continue;
    if (value instanceof PdfRef) open.push({ value, inside });
    if (!(value instanceof PdfArray || value instanceof PdfDict)) continue;
    seen[inside ? 1 : 0].add(value);
    if (inside && value instanceof PdfStream && objects.has(value)) used.add(value);
    if (value instanceof PdfArray) for (const item of value) open.push({ value: item, inside });
    else for (const [key, item] of value) open.push({ value: item, inside: inside || NOT_INTERPRETED.has(key.value) });
  }
  return used;
}
