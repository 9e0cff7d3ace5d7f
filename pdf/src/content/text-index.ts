// The text of a page as a sequence of code points, each linked to its glyphs, in two orders: content order (correct for columns, and
// usually what the producer intended) and by lines (for text that is drawn out of order).

import { fold, isSpace, plainForm } from "./fold.ts";
import type { Texts } from "./font.ts";
import { BREAK, HARD, type JointKind, NONE, SOFT } from "./joint-kinds.ts";
import { Joints } from "./joints.ts";
import type { PageContent } from "./machine.ts";
import { isRightToLeft, readAsRightToLeft, reverseRightToLeft } from "./right-to-left.ts";
import { blocksOf, linesOf, segmentsOf } from "./segments.ts";
import { findShadows } from "./shadows.ts";

export type Sequence = {
  /** Glyphs in the order of this sequence. */
  readonly order: Uint32Array;
  /** A code point, or SOFT, HARD or BREAK, of which two never follow each other. */
  readonly points: Int32Array;
  /** For each point, the position of its glyph in `order`. */
  readonly positions: Int32Array;
};

/** `block` gives, for each position of the sequence, its block. */
export type Blocks = { readonly sequence: Sequence; readonly block: Uint32Array };

export type TextIndex = {
  readonly content: PageContent;
  readonly inContentOrder: Sequence;
  /** Null if it is the same as content order. */
  readonly byLines: Sequence | null;
  /** Both orders again, with the lines that have right-to-left letters read as those of a right-to-left paragraph. */
  readonly rightToLeft: readonly Sequence[];
  /** By paragraphs and table cells, for text that goes on in the next line; null if there are too many. Computed on the first call. */
  readonly byBlocks: () => Blocks | null;
  /** Maps a glyph to its shadows. */
  readonly shadowsOf: ReadonlyMap<number, readonly number[]>;
  readonly lastOf: (glyph: number) => number;
  readonly joints: Joints;
};

/** Indexes all glyphs except those for which `without` is true. */
export function indexPage(content: PageContent, texts: Texts, without: (glyph: number) => boolean): TextIndex {
  const { glyphs, spans } = content;
  const lasts = new Map(spans.map(({ first, last }) => [first, last]));
  const lastOf = lasts.size === 0 ? (glyph: number) => glyph : (glyph: number) => lasts.get(glyph) ?? glyph;
  const joints = new Joints(glyphs);
  const live = new Uint32Array(glyphs.count);
  let count = 0;
  for (let i = 0; i < glyphs.count; i++) if (glyphs.text[i] !== 0 && !without(i)) live[count++] = i;
  const shown = live.subarray(0, count);
  const lines = linesOf(segmentsOf(glyphs, shown, lastOf, joints));
  const shadows = findShadows(glyphs, shown, lines);
  const isText = (glyph: number): boolean => shadows?.has(glyph) !== true;
  const order = shadows === null ? shown : shown.filter(isText);
  const sorted = lines.flat();
  const inOrder = sorted.every((segment, i) => segment.from === (sorted[i - 1]?.to ?? 0));
  const byLines = inOrder ? null : concat(sorted.map(({ from, to }) => shown.subarray(from, to))).filter(isText);
  const rightToLeft: Sequence[] = [];
  const sequence = (glyphOrder: Uint32Array): Sequence => buildSequence(content, texts, glyphOrder, lastOf, joints, rightToLeft);
  let blocks: Blocks | null | undefined;
  const byBlocks = (): Blocks | null => {
    if (blocks !== undefined) return blocks;
    const parts = blocksOf(lines)?.map((block) => concat(block.map(({ from, to }) => shown.subarray(from, to))).filter(isText));
    if (parts === undefined) blocks = null;
    else {
      const block = concat(parts.map((part, index) => new Uint32Array(part.length).fill(index)));
      blocks = { sequence: buildSequence(content, texts, concat(parts), lastOf, joints, []), block };
    }
    return blocks;
  };
  return {
    content,
    inContentOrder: sequence(order),
    byLines: byLines === null ? null : sequence(byLines),
    rightToLeft,
    byBlocks,
    shadowsOf: byTwin(shadows),
    lastOf,
    joints,
  };
}

function byTwin(shadows: ReadonlyMap<number, number> | null): Map<number, number[]> {
  const twins = new Map<number, number[]>();
  for (const [shadow, twin] of shadows ?? []) twins.set(twin, [...(twins.get(twin) ?? []), shadow]);
  return twins;
}

function concat(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function buildSequence(
  { glyphs }: PageContent,
  texts: Texts,
  order: Uint32Array,
  lastOf: (glyph: number) => number,
  joints: Joints,
  otherReadings: Sequence[],
): Sequence {
  let room = 0;
  for (const glyph of order) room += 1 + ((glyphs.text[glyph] as number) > 0 ? 1 : texts.text(glyphs.text[glyph] as number).length);
  const points = new Int32Array(room);
  const positions = new Int32Array(room);
  let size = 0;
  let pending: JointKind = NONE;
  let rightToLeft = false;
  const put = (point: number, position: number): void => {
    if (isSpace(point)) {
      pending = pending === BREAK ? BREAK : HARD;
      return;
    }
    if (pending !== NONE && size > 0) {
      points[size] = pending;
      positions[size++] = position;
    }
    pending = NONE;
    rightToLeft ||= isRightToLeft(point);
    points[size] = point;
    positions[size++] = position;
  };
  for (let i = 0; i < order.length; i++) {
    const glyph = order[i] as number;
    if (i > 0) pending = stronger(pending, joints.kind(lastOf(order[i - 1] as number), glyph));
    const id = glyphs.text[glyph] as number;
    if (id > 0) put(id, i);
    else for (const char of texts.text(id)) put(char.codePointAt(0) ?? 0, i);
  }
  const sequence = { order, points: points.subarray(0, size), positions: positions.subarray(0, size) };
  if (!rightToLeft) return sequence;
  for (const mirror of [false, true]) {
    const other = { order, points: sequence.points.slice(), positions: sequence.positions.slice() };
    if (readAsRightToLeft(glyphs, order, other.points, other.positions, mirror)) otherReadings.push(other);
  }
  reverseRightToLeft(glyphs, order, sequence.points, sequence.positions);
  return sequence;
}

/** The range of glyph positions for the points from..to, in ascending order also for right-to-left text. */
export function positionsOf({ positions }: Sequence, from: number, to: number): { from: number; to: number } {
  let first = Infinity;
  let last = -1;
  for (let i = from; i <= to; i++) {
    first = Math.min(first, positions[i] as number);
    last = Math.max(last, positions[i] as number);
  }
  return { from: first, to: last };
}

const stronger = (a: JointKind, b: JointKind): JointKind => (a < b ? a : b);

/** A sequence as a searchable string, and for each UTF-16 unit the index of its point. */
export type Searchable = { readonly text: string; readonly points: Int32Array };

/** How each kind of joint is spelled; "" drops the joint. `wide` spells the end of a line between characters that need no space. */
export type Spelling = {
  readonly soft: string;
  readonly hard: string;
  readonly line: string;
  readonly wide: string;
  readonly form: (point: number) => string;
};

/** For anchors: every joint is a space, or those are dropped that need not be one. */
export const foldedWithSoft: Spelling = { soft: " ", hard: " ", line: " ", wide: " ", form: fold };
export const foldedWithoutSoft: Spelling = { soft: "", hard: " ", line: " ", wide: "", form: fold };

/** For tags: joints are spelled as private-use characters, which never occur in the text here. */
export const plainSpelling: Spelling = { soft: "\ue000", hard: " ", line: "\ue001", wide: "\ue001", form: plainForm };

const CHUNK = 8192;

export function spell({ points }: Sequence, { soft, hard, line, wide, form }: Spelling): Searchable {
  let units = new Uint16Array(points.length + 64);
  let from = new Int32Array(points.length + 64);
  let size = 0;
  for (let i = 0; i < points.length; i++) {
    const point = points[i] as number;
    const spelled = point > 0 ? form(point) : point === SOFT ? soft : point === HARD ? hard : isWideBreak(points, i) ? wide : line;
    if (size + spelled.length > units.length) {
      units = enlarged(units, new Uint16Array(units.length * 2 + spelled.length));
      from = enlarged(from, new Int32Array(units.length));
    }
    for (let k = 0; k < spelled.length; k++) {
      units[size] = spelled.charCodeAt(k);
      from[size++] = i;
    }
  }
  let text = "";
  for (let at = 0; at < size; at += CHUNK) text += String.fromCharCode(...units.subarray(at, Math.min(size, at + CHUNK)));
  return { text, points: from.subarray(0, size) };
}

function enlarged<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Whether a sequence has joints that need not be a space; if not, both spellings for anchors are the same. */
export const hasSoft = ({ points }: Sequence): boolean => points.some((point, i) => point === SOFT || isWideBreak(points, i));

/** The end of a line between two characters of Chinese, Japanese or Korean, which can break anywhere. */
function isWideBreak(points: Int32Array, at: number): boolean {
  return points[at] === BREAK && isWide(points[at - 1] ?? 0) && isWide(points[at + 1] ?? 0);
}

function isWide(point: number): boolean {
  if (point < 0x2e80) return false;
  return point <= 0xa4cf || (point >= 0xac00 && point <= 0xd7a3) || (point >= 0xf900 && point <= 0xfaff) || isRareWide(point);
}

const isRareWide = (point: number): boolean => (point >= 0xff00 && point <= 0xffef) || (point >= 0x20000 && point <= 0x3ffff);
