// A font as used by the interpreter: the text and width of each code, computed once per code and stored in typed arrays.

/** The text and metrics of one code, in ems: horizontal advance, vertical advance and the x of the vertical origin. */
export type GlyphFacts = { readonly text: string; readonly w: number; readonly w1: number; readonly vx: number };

export type FontFacts = {
  readonly vertical: boolean;
  /** The line box, in ems. */
  readonly ascent: number;
  readonly descent: number;
  /** One em, in units of the font size: 1, except for Type 3 fonts with unusual matrices. */
  readonly em: number;
  /** How far a glyph may be drawn beyond its line box, in units of the font size; infinite if the font does not say. */
  readonly reach: number;
  /** The number of bytes of the code at `at`; a number if all codes have the same length. */
  readonly length: number | ((bytes: Uint8Array, at: number) => number);
  readonly describe: (code: number, length: number) => GlyphFacts;
};

/** Texts as numbers: a single character is its code point, an empty text is 0, a longer text is a negative index. */
export class Texts {
  private readonly list: string[] = [];
  private readonly ids = new Map<string, number>();

  id(text: string): number {
    const point = text.codePointAt(0) ?? 0;
    if (text.length <= 1 || (text.length === 2 && point > 0xffff)) return point;
    let id = this.ids.get(text);
    if (id === undefined) {
      this.list.push(text);
      id = -this.list.length;
      this.ids.set(text, id);
    }
    return id;
  }

  text(id: number): string {
    if (id === 0) return "";
    return id > 0 ? String.fromCodePoint(id) : (this.list[-id - 1] ?? "");
  }
}

/** 256 codes that differ only in their last byte. */
export type Block = {
  readonly known: Uint8Array;
  readonly text: Int32Array;
  readonly w: Float64Array;
  readonly w1: Float64Array;
  readonly vx: Float64Array;
};

export class Font {
  readonly vertical: boolean;
  readonly ascent: number;
  readonly descent: number;
  readonly em: number;
  readonly reach: number;
  readonly fixedLength: number;
  private readonly facts: FontFacts;
  private readonly texts: Texts;
  private readonly blocks = new Map<number, Block>();

  constructor(facts: FontFacts, texts: Texts) {
    this.facts = facts;
    this.texts = texts;
    this.vertical = facts.vertical;
    this.ascent = facts.ascent;
    this.descent = facts.descent;
    this.em = facts.em;
    this.reach = facts.reach;
    this.fixedLength = typeof facts.length === "number" ? facts.length : 0;
  }

  lengthAt(bytes: Uint8Array, at: number): number {
    return typeof this.facts.length === "number" ? this.facts.length : Math.max(1, this.facts.length(bytes, at));
  }

  /** The block of `code`, with its entry filled in. */
  block(code: number, length: number): Block {
    const key = Math.floor(code / 256) * 8 + length;
    let block = this.blocks.get(key);
    if (block === undefined) {
      block = newBlock();
      this.blocks.set(key, block);
    }
    const at = code & 255;
    if (block.known[at] === 0) this.fill(block, at, code, length);
    return block;
  }

  private fill(block: Block, at: number, code: number, length: number): void {
    const { text, w, w1, vx } = this.facts.describe(code, length);
    block.known[at] = 1;
    block.text[at] = this.texts.id(text);
    block.w[at] = finite(w);
    block.w1[at] = finite(w1);
    block.vx[at] = finite(vx);
  }
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

const newBlock = (): Block => ({
  known: new Uint8Array(256),
  text: new Int32Array(256),
  w: new Float64Array(256),
  w1: new Float64Array(256),
  vx: new Float64Array(256),
});
