// Finds tags on a page: `{{…}}` across runs, fonts, kerning and line breaks in content order, then within single lines for text that is
// drawn out of order. The content of a tag is parsed in tag-grammar.ts.

import { BREAK } from "./joint-kinds.ts";
import { plainSpelling, positionsOf, type Searchable, type Sequence, spell, type TextIndex } from "./text-index.ts";

/** A tag's text between the braces, its glyphs including their shadows, and the glyphs of its first line. */
export type FoundTag = { readonly inner: string; readonly glyphs: readonly number[]; readonly firstLine: readonly number[] };

// Kerning or a line break may separate the two braces of a pair; a typed space may not.
const TAG = /\{[\ue000\ue001]?\{([^{}]{1,500})\}[\ue000\ue001]?\}/g;

// The same without the closing braces. Nothing follows the repetition, so there is no backtracking.
const OPENED = /\{[\ue000\ue001]?\{([^{}]{1,500})/g;
const CLOSES = /^\}[\ue000\ue001]?\}/;

export type TagTexts = {
  /** In content order. */
  readonly tags: readonly FoundTag[];
  /** The text after braces that are never closed, up to the maximum length of a tag. */
  readonly unclosed: readonly string[];
};

export function findTagText(index: TextIndex): TagTexts {
  const spelled = spell(index.inContentOrder, plainSpelling);
  const found = searchTags(index, index.inContentOrder, spelled);
  const taken = new Set(found.flatMap((tag) => tag.glyphs));
  if (index.byLines === null) return { tags: found, unclosed: searchUnclosed(index.inContentOrder, spelled, taken) };
  const inLines = searchTags(index, index.byLines, spell(index.byLines, plainSpelling)).filter(
    (tag) => !tag.broken && !tag.glyphs.some((glyph) => taken.has(glyph)),
  );
  for (const glyph of inLines.flatMap((tag) => tag.glyphs)) taken.add(glyph);
  const tags = [...found, ...inLines].sort((a, b) => (a.glyphs[0] ?? 0) - (b.glyphs[0] ?? 0));
  return { tags, unclosed: searchUnclosed(index.inContentOrder, spelled, taken) };
}

/** Excludes braces of tags that are drawn out of order. */
function searchUnclosed(sequence: Sequence, { text, points }: Searchable, taken: ReadonlySet<number>): string[] {
  return [...text.matchAll(OPENED)].flatMap((match) => {
    const end = match.index + match[0].length;
    if (CLOSES.test(text.slice(end, end + 3))) return [];
    const { from } = positionsOf(sequence, points[match.index] as number, points[match.index] as number);
    return taken.has(sequence.order[from] as number) ? [] : [(match[1] ?? "").replace(/[\ue000\ue001]/g, " ")];
  });
}

function searchTags(index: TextIndex, sequence: Sequence, { text, points }: Searchable): (FoundTag & { readonly broken: boolean })[] {
  const found = [];
  for (const match of text.matchAll(TAG)) {
    const inner = (match[1] ?? "").replace(/[\ue000\ue001]/g, " ");
    if (/^[\s;]*$/.test(inner)) continue;
    const { from, to } = positionsOf(sequence, points[match.index] as number, points[match.index + match[0].length - 1] as number);
    const firstLine = firstLineOf(index, sequence.order, from, to);
    found.push({
      inner,
      glyphs: withShadows(index, sequence.order.subarray(from, to + 1)),
      firstLine,
      broken: match[0].includes("\ue001"),
    });
  }
  return found;
}

/** The glyphs from position `from` to the end of the line, with complete spans. */
export function firstLineOf({ joints, lastOf }: TextIndex, order: Uint32Array, from: number, to: number): number[] {
  const line: number[] = [];
  for (let i = from; i <= to; i++) {
    const glyph = order[i] as number;
    if (i > from && joints.kind(lastOf(order[i - 1] as number), glyph) === BREAK) break;
    for (let each = glyph; each <= lastOf(glyph); each++) line.push(each);
  }
  return line;
}

function withShadows({ shadowsOf, lastOf }: TextIndex, glyphs: Uint32Array): number[] {
  const all = new Set<number>();
  for (const glyph of glyphs) {
    for (const start of [glyph, ...(shadowsOf.get(glyph) ?? [])]) {
      for (let each = start; each <= lastOf(start); each++) all.add(each);
    }
  }
  return [...all].sort((a, b) => a - b);
}
