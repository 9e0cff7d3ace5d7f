// Finds anchors: text on a page relative to which fields are placed. Ignores case, ligatures, quotes, runs, fonts and line breaks, but a
// match does not span pages. Invisible and white text counts; text in a layer that is off does not.

import { type Area, areaOf, emptyExtent, extend, isOnPage, toFractions } from "./area.ts";
import { foldText } from "./content/fold.ts";
import { cornersOf, type Glyphs } from "./content/glyphs.ts";
import { type ContentReader, createReader } from "./content/interpret.ts";
import { limits, tooMany } from "./content/limits.ts";
import type { Matrix } from "./content/matrix.ts";
import { anchorIndex, type PageTexts, readText } from "./content/page-texts.ts";
import { firstLineOf } from "./content/tag-search.ts";
import {
  foldedWithoutSoft,
  foldedWithSoft,
  hasSoft,
  positionsOf,
  type Searchable,
  type Sequence,
  spell,
  type TextIndex,
} from "./content/text-index.ts";
import type { Doc, Page } from "./doc.ts";

/** The literal text; which occurrence in document order, from 1 (default 1); and the page, from 1, to which the search is limited. */
export type AnchorQuery = { readonly anchor_text: string; readonly occurrence?: number; readonly page?: number };

/** `match` is the first line of the matched text on `page`; `matches` is the number of matches in the searched pages. */
export type FoundAnchor = { readonly found: true; readonly page: number; readonly match: Area; readonly matches: number };

/** `out_of_range`: there is no such page. An anchor that is empty after folding is not found. */
export type MissingAnchor = {
  readonly found: false;
  readonly fault: "anchor_not_found" | "occurrence_out_of_range" | "out_of_range";
  readonly matches: number;
};

export type AnchorResult = FoundAnchor | MissingAnchor;

/**
 * Finds all anchors in one pass and returns one result per query, in order; failures are returned, not thrown. Throws UnreadablePdf
 * `too_complex` if the document or the request exceeds a limit.
 * @example findAnchors(doc, [{ anchor_text: "Sign here", occurrence: 2 }])
 */
export function findAnchors(doc: Doc, queries: readonly AnchorQuery[]): AnchorResult[] {
  const reader = createReader(doc);
  const anchors = collectAnchors(doc, reader, queries);
  for (const page of doc.pages) if (anchors.concern(page)) anchors.read(readText(doc, reader, page));
  return anchors.found();
}

// A band and a diagonal have about a hundred characters. They are painted last, so the last glyphs are searched first.
const LAST_GLYPHS = 400;

/**
 * The pages, counted from 1, that paint a text in one piece, as our own marks are. Ignores lines, positions and reading order, and so
 * takes a quarter of the time of a search.
 */
export function pagesWithText(doc: Doc, text: string): number[] {
  const reader = createReader(doc);
  const wanted = withoutSpaces(text);
  const isOn = (page: Page): boolean => {
    const { glyphs } = reader.readPage(page);
    return [Math.max(0, glyphs.count - LAST_GLYPHS), 0].some((from) => withoutSpaces(paintedFrom(glyphs, reader, from)).includes(wanted));
  };
  return doc.pages.filter(isOn).map(({ index }) => index + 1);
}

function paintedFrom(glyphs: Glyphs, { texts }: ContentReader, from: number): string {
  let painted = "";
  for (let glyph = from; glyph < glyphs.count; glyph++) {
    if (!glyphs.runOf(glyph).off) painted += texts.text(glyphs.text[glyph] ?? 0);
  }
  return painted;
}

const withoutSpaces = (text: string): string => foldText(text).replaceAll(" ", "");

type AnchorCollector = {
  /** Whether any anchor is searched on this page. */
  readonly concern: (page: Page) => boolean;
  readonly read: (texts: PageTexts) => void;
  readonly found: () => AnchorResult[];
};

/** The same for callers that read the pages, in order, for other purposes too. */
export function collectAnchors(doc: Doc, reader: ContentReader, queries: readonly AnchorQuery[]): AnchorCollector {
  if (queries.length > limits.anchors) throw tooMany(limits.anchors, "anchors");
  const asked = queries.map((query) => ({ ...query, folded: foldText(query.anchor_text), areas: [] as Area[] }));
  const askedOf = ({ index }: Page) => asked.filter(({ folded, page = index + 1 }) => folded !== "" && page === index + 1);
  return {
    concern: (page) => askedOf(page).length > 0,
    read(texts) {
      const here = askedOf(texts.page);
      if (here.length === 0) return;
      const index = anchorIndex(texts, reader);
      const spelled = spellings(index);
      const toPage = toFractions(texts.displayed);
      const known = new Map<string, readonly Area[]>();
      for (const query of here) {
        const areas = known.get(query.folded) ?? areasOf(index, spelled, query.folded, texts.page.index + 1, toPage);
        known.set(query.folded, areas);
        for (const area of areas) query.areas.push(area);
      }
    },
    found: () => asked.map((query) => resultOf(query, doc.pages.length)),
  };
}

function resultOf({ areas, occurrence = 1, page }: AnchorQuery & { areas: readonly Area[] }, pages: number): AnchorResult {
  const matches = areas.length;
  if (page !== undefined && (page < 1 || page > pages)) return { found: false, fault: "out_of_range", matches };
  if (matches === 0) return { found: false, fault: "anchor_not_found", matches };
  const match = areas[occurrence - 1];
  return match === undefined
    ? { found: false, fault: "occurrence_out_of_range", matches }
    : { found: true, page: match.page, match, matches };
}

type Spelled = { readonly sequence: Sequence; readonly searchables: readonly Searchable[] };

type Spellings = { readonly content: Spelled; readonly others: readonly Spelled[]; readonly blocks: () => Spelled | null };

function spellings(index: TextIndex): Spellings {
  const spelled = (sequence: Sequence): Spelled => {
    const withSoft = spell(sequence, foldedWithSoft);
    return { sequence, searchables: hasSoft(sequence) ? [withSoft, spell(sequence, foldedWithoutSoft)] : [withSoft] };
  };
  let blocks: Spelled | null | undefined;
  return {
    content: spelled(index.inContentOrder),
    others: [...(index.byLines === null ? [] : [index.byLines]), ...index.rightToLeft].map(spelled),
    blocks: () => {
      if (blocks === undefined) {
        const found = index.byBlocks();
        blocks = found === null ? null : spelled(found.sequence);
      }
      return blocks;
    },
  };
}

/** Positions in the order of a sequence, both inclusive. */
type Match = { readonly sequence: Sequence; readonly from: number; readonly to: number };

function areasOf(index: TextIndex, spelled: Spellings, folded: string, page: number, toPage: Matrix): Area[] {
  const matches = withoutOverlap(search(spelled.content, folded));
  const taken = new Set(matches.flatMap(glyphsOf));
  const addFrom = (from: Spelled, isWanted: (match: Match) => boolean): void => {
    for (const match of withoutOverlap(search(from, folded).filter(isWanted))) {
      const glyphs = glyphsOf(match);
      if (glyphs.some((glyph) => taken.has(glyph))) continue;
      matches.push(match);
      for (const glyph of glyphs) taken.add(glyph);
    }
  };
  for (const other of spelled.others) addFrom(other, () => true);
  // Blocks differ from the other orders only where a line ends.
  const inBlocks = mayWrap(folded) ? spelled.blocks() : null;
  const block = inBlocks === null ? null : (index.byBlocks()?.block ?? null);
  if (inBlocks !== null && block !== null) addFrom(inBlocks, ({ from, to }) => block[from] === block[to]);
  return matches.sort((a, b) => firstGlyph(a) - firstGlyph(b)).flatMap((match) => areaOfMatch(index, match, page, toPage) ?? []);
}

/** The end of a line is a space, or, in scripts without spaces, nothing. */
const mayWrap = (folded: string): boolean => folded.includes(" ") || /[\u2e80-\uffff]/.test(folded);

const glyphsOf = ({ sequence, from, to }: Match): number[] => [...sequence.order.subarray(from, to + 1)];
const firstGlyph = ({ sequence, from }: Match): number => sequence.order[from] as number;

function search({ sequence, searchables }: Spelled, folded: string): Match[] {
  return searchables.flatMap(({ text, points }) => {
    const found: Match[] = [];
    for (let at = text.indexOf(folded); at >= 0; at = text.indexOf(folded, at)) {
      const end = at + folded.length;
      if (/^\p{M}/u.test(text.slice(end, end + 2))) {
        at++; // "cafe" does not match "café", however the accent is encoded
        continue;
      }
      found.push({ sequence, ...positionsOf(sequence, points[at] as number, points[end - 1] as number) });
      at = end;
    }
    return found;
  });
}

function withoutOverlap(matches: readonly Match[]): Match[] {
  const kept: Match[] = [];
  let reached = -1;
  for (const match of [...matches].sort((a, b) => a.from - b.from || a.to - b.to)) {
    if (match.from <= reached) continue;
    kept.push(match);
    reached = match.to;
  }
  return kept;
}

/** The first line of the match that is on the page; null if there is none. */
function areaOfMatch(index: TextIndex, { sequence, from, to }: Match, page: number, toPage: Matrix): Area | null {
  for (let at = from; at <= to; ) {
    const extent = emptyExtent();
    const line = firstLineOf(index, sequence.order, at, to);
    for (const glyph of line) extend(extent, cornersOf(index.content.glyphs, glyph), toPage);
    if (isOnPage(extent)) return areaOf(page, extent);
    const passed = new Set(line);
    while (at <= to && passed.has(sequence.order[at] as number)) at++;
  }
  return null;
}
