// Finds tags on a page: `{{…}}` across runs, fonts, kerning and line breaks in content order, then within single lines for text that is
// drawn out of order. The content of a tag is parsed in tag-grammar.ts.

import { parseTag } from "../tag-grammar.ts";
import { isSpace } from "./fold.ts";
import { BREAK } from "./joint-kinds.ts";
import { plainSpelling, positionsOf, type Searchable, type Sequence, spell, type TextIndex } from "./text-index.ts";

/** A tag's text between the braces, its glyphs including their shadows, and the glyphs of its first line. */
export type FoundTag = { readonly inner: string; readonly glyphs: readonly number[]; readonly firstLine: readonly number[] };

// Kerning or a line break may separate the two braces of a pair; a space may only if all letters of the tag are spaced out.
const TAG = /\{[\ue000\ue001 ]?\{([^{}]{1,1000})\}[\ue000\ue001 ]?\}/g;
const MAX_INNER = 500;

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
  const otherReadings = [...index.rightToLeft, ...(index.byLines === null ? [] : [index.byLines])].flatMap((sequence) =>
    searchTags(index, sequence, spell(sequence, plainSpelling)).filter((tag) => !tag.broken),
  );
  // Attributes beside right-to-left values read differently in the two kinds of paragraphs, and only one reading makes sense.
  const isBetter = (tag: FoundTag, than: FoundTag): boolean => hasMistakes(than) && !hasMistakes(tag) && tag.glyphs[0] === than.glyphs[0];
  const chosen: FoundTag[] = found.map((tag) => otherReadings.find((other) => isBetter(other, tag)) ?? tag);
  const taken = new Set(chosen.flatMap((tag) => tag.glyphs));
  for (const tag of otherReadings.sort((a, b) => Number(hasMistakes(a)) - Number(hasMistakes(b)))) {
    if (tag.glyphs.some((glyph) => taken.has(glyph))) continue;
    chosen.push(tag);
    for (const glyph of tag.glyphs) taken.add(glyph);
  }
  const tags = chosen.sort((a, b) => (a.glyphs[0] ?? 0) - (b.glyphs[0] ?? 0));
  return { tags, unclosed: searchUnclosed(index.inContentOrder, spelled, taken) };
}

const hasMistakes = ({ inner }: FoundTag): boolean => parseTag(inner).mistakes.length > 0;

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
    const spaced = isLetterSpaced(match[0]);
    if (!spaced && SPACED_BRACES.test(match[0])) continue;
    const end = match.index + match[0].length - 1;
    const inner = spaced
      ? withoutLetterSpacing(index, sequence, { text, points }, match.index, end)
      : (match[1] ?? "").replace(/[\ue000\ue001]/g, " ");
    if (/^[\s;]*$/.test(inner) || inner.length > MAX_INNER) continue;
    const { from, to } = positionsOf(sequence, points[match.index] as number, points[end] as number);
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

const SPACED_BRACES = /^\{ |\} \}$/;
const JOINT = /[\ue000\ue001 ]/;
const MIN_SPACED = 6;
const SPACED_SHARE = 0.8;

/** Whether nearly all letters of a tag, with its braces, are apart, as in `{ { N a m e } }`. */
function isLetterSpaced(tag: string): boolean {
  const letters = [...tag].filter((char) => !JOINT.test(char)).length;
  return letters >= MIN_SPACED && [...tag].length - letters >= SPACED_SHARE * (letters - 1);
}

// A gap between words is wider than those between letters.
const WORD_GAP_RATIO = 1.6;

/** The text between the braces of a letter-spaced tag at from..end of the spelled text, with only the wider gaps as spaces. */
function withoutLetterSpacing(index: TextIndex, sequence: Sequence, { text, points }: Searchable, from: number, end: number): string {
  const { joints, lastOf } = index;
  const glyphAt = (at: number): number => sequence.order[sequence.positions[points[at] as number] as number] as number;
  const letters: { char: string; gap: number }[] = [];
  let before = -1;
  for (let at = from; at <= end; at++) {
    const char = text[at] as string;
    if (JOINT.test(char)) continue;
    if (before >= 0) joints.measure(lastOf(glyphAt(before)), glyphAt(at));
    const apart = before >= 0 && points[before] !== points[at];
    letters.push({ char, gap: apart && !joints.turned && Math.abs(joints.shift) < 0.5 ? Math.abs(joints.gap) : 0 });
    before = at;
  }
  const gaps = letters.map(({ gap }) => gap).sort((a, b) => a - b);
  const usual = gaps[Math.floor(gaps.length / 2)] ?? 0;
  return letters
    .slice(2, -2)
    .map(({ char, gap }, i) => (i > 0 && gap > WORD_GAP_RATIO * usual ? ` ${char}` : char))
    .join("");
}

/** The glyphs from position `from` to the end of the line, with complete spans, but without spaces at its end. */
export function firstLineOf({ content, joints, lastOf }: TextIndex, order: Uint32Array, from: number, to: number): number[] {
  const line: number[] = [];
  for (let i = from; i <= to; i++) {
    const glyph = order[i] as number;
    if (i > from && joints.kind(lastOf(order[i - 1] as number), glyph) === BREAK) break;
    for (let each = glyph; each <= lastOf(glyph); each++) line.push(each);
  }
  const isBlank = (glyph: number): boolean => (content.glyphs.text[glyph] as number) > 0 && isSpace(content.glyphs.text[glyph] as number);
  while (line.length > 1 && isBlank(line.at(-1) as number)) line.pop();
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
