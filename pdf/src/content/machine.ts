// The graphics and text state during interpretation, and the showing of strings (ISO 32000-2, 8.4 and 9.3 to 9.4).

import type { PdfDict, PdfStream } from "@libpdf/core";
import type { Box } from "./clip.ts";
import type { Font, Texts } from "./font.ts";
import { Glyphs } from "./glyphs.ts";
import type { Operand } from "./lexer.ts";
import { limits, tooMany } from "./limits.ts";
import { identity, type Matrix, times } from "./matrix.ts";
import { Operands } from "./operands.ts";
import type { Source } from "./sources.ts";

/** The state that `q` saves and `Q` restores. */
export type State = {
  ctm: Matrix;
  /** Where content can be seen. */
  clip: Box;
  font: Font | null;
  size: number;
  charSpacing: number;
  wordSpacing: number;
  /** Tz, 1 for 100 %. */
  scale: number;
  leading: number;
  rise: number;
};

/** Marked content (BMC, BDC): its replacement text, if any, and whether it is in a layer that is off. */
export type Marked = { readonly actual: string | null; readonly first: number; readonly off: boolean; readonly mark: Mark | null };

/** A marked-content operator with a dictionary whose text may contain a tag, and the glyphs that it encloses; `to` is exclusive. */
export type Mark = {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  to: number;
  /** The number that the structure tree knows the content by; null if it has none. */
  readonly mcid: number | null;
};

/** Content other than glyphs that cannot be seen. */
export type HiddenPart = {
  readonly source: Source;
  /** The range of its operators, and what has to stay of them. An annotation has no range. */
  readonly start: number;
  readonly end: number;
  readonly rest: string;
  /** The image or form that it paints, and the source of that form's content. */
  readonly object?: PdfStream;
  readonly painting?: Source;
  readonly annotation?: PdfDict;
  /** A dictionary of `Properties` whose text describes it. */
  readonly properties?: PdfDict;
};

/** Glyphs with a common replacement text (ActualText). The glyph `first` gets the text; the others have none. */
export type Span = { readonly first: number; readonly last: number };

/** An image on the page: the matrix from the unit square to user space, and its size in pixels. */
export type ImagePlacement = { readonly ctm: Matrix; readonly width_px: number; readonly height_px: number };

/** The text-related content of one page. */
export type PageContent = {
  readonly glyphs: Glyphs;
  readonly spans: readonly Span[];
  readonly marks: readonly Mark[];
  readonly images: readonly ImagePlacement[];
  readonly hidden: readonly HiddenPart[];
  /** The numbers under which the structure tree refers to hidden content of the page (MCID). */
  readonly hiddenIds: ReadonlySet<number>;
  /** The page's content, and each painting of a form or an appearance. */
  readonly sources: readonly Source[];
  /** The images and forms that are painted and can be seen. */
  readonly painted: ReadonlySet<PdfStream>;
};

export const initialState = (ctm: Matrix, clip: Box): State => ({
  ctm,
  clip,
  font: null,
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
});

// An adjustment by more than this, in thousandths of an em, may move the pen out of the page and back within one operator.
const JUMP = 2_000;

/** Where a path began, so that it can be read again when it clips or is not visible. */
export class PathStart {
  /** -1 if no path is being constructed. */
  start = -1;
  operators = 0;
  /** The operands of `re`, which is the whole path if it is the only operator. */
  x = 0;
  y = 0;
  w = 0;
  h = 0;
  isRectangle = false;
  /** Where `W` is; -1 if the path does not clip. */
  clipsAt = -1;

  /** An operator other than the first. */
  extend(): void {
    this.operators++;
    this.isRectangle = false;
  }

  clear(): void {
    this.start = -1;
    this.operators = 0;
    this.isRectangle = false;
    this.clipsAt = -1;
  }
}

export class Machine {
  readonly glyphs = new Glyphs();
  readonly spans: Span[] = [];
  readonly marks: Mark[] = [];
  readonly images: ImagePlacement[] = [];
  readonly marked: Marked[] = [];
  readonly hidden: HiddenPart[] = [];
  readonly hiddenIds = new Set<number>();
  readonly sources: Source[] = [];
  readonly painted = new Set<PdfStream>();
  /** The path that is being constructed. */
  path = new PathStart();
  state: State;
  stack: State[] = [];
  textMatrix: Matrix = identity;
  lineMatrix: Matrix = identity;
  operands = new Operands();
  /** The number of enclosing layers that are off, and of open replacement texts. */
  offDepth = 0;
  actualDepth = 0;
  private readonly texts: Texts;
  private readonly fallback: () => Font;

  constructor(texts: Texts, fallback: () => Font, page: Box) {
    this.state = initialState(identity, page);
    this.texts = texts;
    this.fallback = fallback;
  }

  save(): void {
    if (this.stack.length >= limits.graphics_stack) throw tooMany(limits.graphics_stack, "graphics states kept at once");
    this.stack.push({ ...this.state });
  }

  restore(): void {
    this.state = this.stack.pop() ?? this.state;
  }

  moveLine(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.lineMatrix;
    this.lineMatrix = [a, b, c, d, a * x + c * y + e, b * x + d * y + f];
    this.textMatrix = this.lineMatrix;
  }

  /** Shows the operand of a show operator at start..end of the source: a string, or an array of strings and adjustments. */
  show(items: readonly Operand[], source: Source, start: number, end: number): void {
    const { state } = this;
    const font = state.font ?? this.fallback();
    const m = times(this.textMatrix, state.ctm);
    const { size, scale } = state;
    const run = this.glyphs.runs.length;
    const before = this.glyphs.count;
    let pen = 0;
    let jumps = false;
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (typeof item === "number") {
        pen -= (item / 1000) * size * (font.vertical ? 1 : scale);
        jumps ||= item > JUMP || item < -JUMP;
      } else if (item instanceof Uint8Array) pen = this.showString(item, index, { font, m, pen, run });
    }
    if (this.glyphs.count > before) {
      const off = this.offDepth > 0;
      const [a, b, c, d, e, f] = m;
      const clip = state.clip;
      const isInside = (x: number, y: number): boolean => x >= clip[0] && x <= clip[2] && y >= clip[1] && y <= clip[3];
      const ends = font.vertical ? isInside(c * pen + e, d * pen + f) : isInside(a * pen + e, b * pen + f);
      const seen = !jumps && ends && isInside(e, f);
      this.glyphs.runs.push({
        font,
        a: size * scale * a,
        b: size * scale * b,
        c: size * c,
        d: size * d,
        source,
        start,
        end,
        off,
        clip: seen ? null : clip,
      });
    }
    const [a, b, c, d, e, f] = this.textMatrix;
    this.textMatrix = font.vertical ? [a, b, c, d, c * pen + e, d * pen + f] : [a, b, c, d, a * pen + e, b * pen + f];
  }

  private showString(bytes: Uint8Array, operand: number, at: { font: Font; m: Matrix; pen: number; run: number }): number {
    const { glyphs, state } = this;
    const { font, m, run } = at;
    const { size, charSpacing, wordSpacing, scale, rise } = state;
    const { vertical, fixedLength } = font;
    let { pen } = at;
    glyphs.reserve(bytes.length);
    for (let i = 0; i < bytes.length; ) {
      const length = fixedLength === 0 ? font.lengthAt(bytes, i) : fixedLength;
      let code = bytes[i] as number;
      for (let k = 1; k < length; k++) code = code * 256 + (bytes[i + k] ?? 0);
      const block = font.block(code, length);
      const low = code & 255;
      const glyph = glyphs.count++;
      const x = vertical ? 0 : pen;
      const y = vertical ? pen + rise : rise;
      const spacing = length === 1 && code === 32 ? charSpacing + wordSpacing : charSpacing;
      const ems = (vertical ? block.w1[low] : block.w[low]) as number;
      glyphs.text[glyph] = block.text[low] as number;
      glyphs.x[glyph] = m[0] * x + m[2] * y + m[4];
      glyphs.y[glyph] = m[1] * x + m[3] * y + m[5];
      glyphs.w[glyph] = block.w[low] as number;
      glyphs.vx[glyph] = block.vx[low] as number;
      glyphs.advance[glyph] = size === 0 ? ems : ems + spacing / size;
      glyphs.run[glyph] = run;
      glyphs.operand[glyph] = operand;
      glyphs.from[glyph] = i;
      glyphs.length[glyph] = Math.min(length, bytes.length - i);
      pen += (ems * size + spacing) * (vertical ? 1 : scale);
      i += length;
    }
    if (glyphs.count > limits.glyphs_a_page) throw tooMany(limits.glyphs_a_page, "glyphs on a page");
    return pen;
  }

  beginMarked(actual: string | null, off: boolean, mark: Mark | null = null): void {
    if (mark !== null) this.marks.push(mark);
    this.marked.push({ actual, first: this.glyphs.count, off, mark });
    if (off) this.offDepth++;
    if (actual !== null) this.actualDepth++;
  }

  endMarked(): void {
    const mark = this.marked.pop();
    if (mark === undefined) return;
    if (mark.mark !== null) mark.mark.to = this.glyphs.count;
    if (mark.off) this.offDepth--;
    if (mark.actual === null) return;
    this.actualDepth--;
    // Of nested replacements, the outer one counts.
    if (this.actualDepth === 0) this.replaceText(mark.first, mark.actual);
  }

  // Many producers repeat the shown text as its own replacement; then each glyph keeps its text and its own box.
  private replaceText(first: number, actual: string): void {
    const { glyphs } = this;
    if (glyphs.count === first) return;
    let shown = "";
    for (let i = first; i < glyphs.count; i++) shown += this.texts.text(glyphs.text[i] as number);
    if (withoutSpace(shown) === withoutSpace(actual) || mixesTag(actual)) return;
    glyphs.text.fill(0, first, glyphs.count);
    glyphs.text[first] = this.texts.id(actual);
    this.spans.push({ first, last: glyphs.count - 1 });
  }
}

// If the replacement text contains a tag and other words, they cannot be assigned to single glyphs, and removing the tag must not remove
// the words. The text of the glyphs is used instead.
function mixesTag(actual: string): boolean {
  const others = actual.replace(/\{\{[^{}]{1,500}\}\}/g, "");
  return others.length < actual.length && others.trim() !== "";
}

const withoutSpace = (text: string): string => text.normalize("NFKC").replace(/\s+/g, "");
