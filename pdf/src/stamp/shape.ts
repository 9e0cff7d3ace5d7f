// Converts a value to glyphs, paragraph by paragraph and in reading order: chooses the font for each character, joins Arabic letters,
// stacks Thai and Devanagari ones and mirrors brackets. Lines are broken on this result; each line is put into visual order at the end
// (`inVisualOrder`). Not supported, and reported: other scripts whose letters stack or change places, and emoji.

import { isSpace, mayBegin, paragraphsOf, thaiWordStarts } from "@countersign/fields/fit";
import bidiFactory, { type Bidi } from "bidi-js";
import type { Bounds, Face } from "./face.ts";
import type { Fonts, Found } from "./fonts.ts";
import { joinArabic, lacksShapes } from "./join-arabic.ts";
import { type RunGlyph, shapeRun } from "./shape-run.ts";

/** In ems, from the letter's place on the baseline to the glyph's. */
export type Shift = { readonly x: number; readonly y: number };

/** Without a shift, it is centred over its letter. */
export type Accent = { readonly face: Face; readonly glyph: number; readonly text: string; readonly shift?: Shift };

/** A glyph with its accents, or characters of Thai or Devanagari that are shaped together: their first glyph, and the others as accents. */
export type Letter = {
  /** What it represents, in the value's own characters. */
  readonly text: string;
  /**
   * The text of the glyph in the PDF. PDFium and poppler read right-to-left text in painted order and reverse it themselves, PDFium also its
   * brackets (`showMirrored` in sheet.ts). They would reverse a lam-alef ligature as two letters, so it is written as one character.
   */
  readonly told: string;
  /** Whether `told` is the mirror image of `text`: a bracket of right-to-left text. */
  readonly mirrored?: boolean;
  readonly face: Face;
  readonly glyph: number;
  readonly shift?: Shift;
  /** In ems. */
  readonly width: number;
  readonly accents: readonly Accent[];
  /** The embedding level (UAX 9): odd levels are right-to-left. */
  readonly level: number;
  readonly isSpace: boolean;
  /** A line may begin here without a preceding space: Chinese, Japanese, Korean, and between Thai words. */
  readonly mayBegin: boolean;
};

export type Paragraph = { readonly letters: readonly Letter[]; readonly rightToLeft: boolean };

export type Shaped = {
  readonly paragraphs: readonly Paragraph[];
  /** The characters that are in no font and are drawn as U+FFFD, each once. */
  readonly missing: readonly string[];
  /** Whether letters are drawn side by side although the script joins or stacks them. */
  readonly unshaped: boolean;
};

/** Matches right-to-left letters and direction controls. */
export const RIGHT_TO_LEFT = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\u202a-\u202e\u2066-\u2069\u200f]/u;
const SPACE = 0x20;
const COMBINING = /^[\p{Mn}\p{Me}]$/u;
// These control joining, direction and variants, and are invisible.
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Variation_Selector}]$/u;
const STACKED =
  /[\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Laoo}\p{sc=Tibt}\p{sc=Mymr}\p{sc=Khmr}\p{sc=Mong}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{Emoji_Presentation}]/u;

// The types describe the ES build; Node loads the other build, whose whole export is the function.
const makeBidi = bidiFactory as unknown as () => Bidi;
let algorithm: Bidi | null = null;

/** Uses the fonts for values; `face`, if given, draws every character that it has. */
export function shape(value: string, fonts: Fonts, face: Face | null = null): Shaped {
  const missing = new Set<string>();
  const find = (point: number): Found => {
    const glyph = face?.glyphOf(point) ?? 0;
    if (face !== null && glyph !== 0) return { face, glyph };
    // A space that no font has is still drawn as a space.
    const found = fonts.find(point, value) ?? (/\s/u.test(String.fromCodePoint(point)) ? fonts.find(SPACE, value) : null);
    if (found !== null) return found;
    missing.add(String.fromCodePoint(point));
    return fonts.replacement;
  };
  const paragraphs = paragraphsOf(value).map((paragraph) =>
    face === null && COMMON.test(paragraph) ? commonParagraph(paragraph, fonts) : shapeParagraph(paragraph, find),
  );
  const unshaped = STACKED.test(value) || (RIGHT_TO_LEFT.test(value) && [...value].some((character) => lacksShapes(pointOf(character))));
  return { paragraphs, missing: [...missing], unshaped };
}

// Latin letters, digits and punctuation, which the first font has. They neither join nor change places, so each is always the same letter.
const COMMON = /^[\x20-\x7e\xa0-\xac\xae-\xff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026]*$/;

const commonLetters = new WeakMap<Fonts, Map<string, Letter>>();

/** The same as `shapeParagraph` in a fraction of the time. Our own documents consist almost only of such texts. */
function commonParagraph(text: string, fonts: Fonts): Paragraph {
  const known = commonLetters.get(fonts) ?? new Map<string, Letter>();
  commonLetters.set(fonts, known);
  const letterOf = (character: string): Letter => {
    const letter = known.get(character) ?? commonLetter(character, fonts);
    known.set(character, letter);
    return letter;
  };
  return { letters: Array.from(text, letterOf), rightToLeft: false };
}

function commonLetter(character: string, fonts: Fonts): Letter {
  const [letter] = shapeParagraph(character, (point) => fonts.find(point, character) ?? fonts.replacement).letters;
  if (letter === undefined) throw new Error(`U+${pointOf(character).toString(16)} has no letter`);
  return letter;
}

const pointOf = (character: string): number => character.codePointAt(0) ?? 0;

type Character = {
  readonly text: string;
  readonly told: string;
  readonly point: number;
  readonly level: number;
  readonly mirrored?: boolean;
};

function shapeParagraph(text: string, find: (point: number) => Found): Paragraph {
  const { characters, rightToLeft } = inDirections(text);
  const letters: Letter[] = [];
  for (let at = 0; at < characters.length; ) {
    const run = runAt(characters, at);
    if (run.length > 0) {
      letters.push(...shapedLetters(run, find));
      at += run.length;
      continue;
    }
    const { text: spelling, told, point, level, mirrored } = characters[at] as Character;
    at++;
    if (INVISIBLE.test(spelling)) continue;
    const base = letters.at(-1);
    if (COMBINING.test(spelling) && base !== undefined && !base.isSpace) {
      const glyph = base.face.glyphOf(point);
      const accent = glyph === 0 ? find(point) : { face: base.face, glyph };
      letters[letters.length - 1] = { ...base, accents: [...base.accents, { ...accent, text: spelling }] };
      continue;
    }
    const { face, glyph } = find(point);
    const width = face.widthOf(glyph);
    const breaks = { isSpace: isSpace(spelling), mayBegin: mayBegin(base?.text, spelling) };
    letters.push({ text: spelling, told, ...(mirrored && { mirrored }), face, glyph, width, accents: [], level, ...breaks });
  }
  return { letters, rightToLeft };
}

const RUNS = [/\p{sc=Thai}/u, /\p{sc=Deva}/u];
// Belong to the letter before them in any script.
const CONTINUES = /[\p{Mn}\u200c\u200d]/u;

/** The characters from `at` that HarfBuzz shapes together; none for most scripts. */
function runAt(characters: readonly Character[], at: number): readonly Character[] {
  const first = characters[at] as Character;
  const script = RUNS.find((one) => one.test(first.text));
  if (script === undefined) return [];
  const end = characters.findIndex(
    ({ text, level }, index) => index > at && (level !== first.level || !(script.test(text) || CONTINUES.test(text))),
  );
  return characters.slice(at, end === -1 ? undefined : end);
}

function shapedLetters(run: readonly Character[], find: (point: number) => Found): Letter[] {
  const text = run.map((character) => character.text).join("");
  const [{ face }] = run.filter((character) => !INVISIBLE.test(character.text)).map(({ point }) => find(point)) as [Found];
  const glyphs = shapeRun(face, text);
  const starts = [...new Set(glyphs.map(({ at }) => at))].sort((a, b) => a - b);
  const words = RUNS[0]?.test(text) ? thaiWordStarts(text) : new Set<number>();
  return starts.map((start, index) => {
    const spelling = text.slice(start, starts[index + 1]);
    const parts = glyphs.filter(({ at }) => at === start);
    const level = run[0]?.level ?? 0;
    return { ...clusterOf(face, spelling, parts), level, isSpace: false, mayBegin: words.has(start) };
  });
}

// A reader that ignores the stated text of the value gets the characters in order. A glyph beyond them still needs a text in PDF/A, so it
// gets one that is invisible.
const NO_TEXT = "\u200b";

function clusterOf(face: Face, text: string, glyphs: readonly RunGlyph[]): Omit<Letter, "level" | "isSpace" | "mayBegin"> {
  const characters = [...text];
  let x = 0;
  const [first, ...others] = glyphs.map((one, index): Accent => {
    const own = index === glyphs.length - 1 ? characters.slice(index).join("") : characters[index];
    const shift = { x: x + one.x, y: one.y };
    x += one.advance;
    return { face, glyph: one.glyph, text: own === undefined || own === "" ? NO_TEXT : own, shift };
  }) as [Accent, ...Accent[]];
  const { glyph, shift } = first;
  const isMoved = shift !== undefined && (shift.x !== 0 || shift.y !== 0);
  return { text, told: first.text, face, glyph, ...(isMoved && { shift }), width: x, accents: others };
}

// Almost all values have a single direction; the algorithm's tables are loaded only for the others.
function inDirections(text: string): { characters: readonly Character[]; rightToLeft: boolean } {
  const points = [...text].map(pointOf);
  if (!RIGHT_TO_LEFT.test(text)) {
    const characters = [...text].map((character, index) => ({
      text: character,
      told: character,
      point: points[index] as number,
      level: 0,
    }));
    return { characters, rightToLeft: false };
  }
  algorithm ??= makeBidi();
  const bidi = algorithm;
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  let at = 0;
  const characters = joinArabic(points).map(({ point, text: spelling }) => {
    const level = levels[at] ?? 0;
    at += spelling.length;
    const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(spelling) : null;
    const told = spelling.length > 1 ? String.fromCodePoint(point) : (mirrored ?? spelling);
    return { text: spelling, told, point: mirrored?.codePointAt(0) ?? point, level, ...(mirrored !== null && { mirrored: true }) };
  });
  return { characters, rightToLeft: (paragraphs[0]?.level ?? 0) % 2 === 1 };
}

/** The letters of one line in visual order, from left to right (UAX 9, rule L2): reverses each run, from the deepest level up. */
export function inVisualOrder(line: readonly Letter[]): readonly Letter[] {
  if (line.every(({ level }) => level === 0)) return line;
  const deepest = Math.max(...line.map(({ level }) => level));
  const ordered = [...line];
  for (let level = deepest; level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && (ordered[to]?.level ?? 0) >= level) to++;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  }
  return ordered;
}

/** The sides of a letter's ink with its accents, in ems from its place on the baseline; null for a letter without ink. */
export function inkOf(letter: Letter): Bounds | null {
  const own = letter.face.boundsOf(letter.glyph);
  const parts = own === null ? [] : [movedBy(own, letter.shift ?? { x: 0, y: 0 })];
  for (const accent of letter.accents) {
    const bounds = accent.face.boundsOf(accent.glyph);
    if (bounds !== null) parts.push(movedBy(bounds, accent.shift ?? centred(letter, accent)));
  }
  if (parts.length === 0) return null;
  return {
    left: Math.min(...parts.map(({ left }) => left)),
    bottom: Math.min(...parts.map(({ bottom }) => bottom)),
    right: Math.max(...parts.map(({ right }) => right)),
    top: Math.max(...parts.map(({ top }) => top)),
  };
}

const movedBy = ({ left, bottom, right, top }: Bounds, { x, y }: Shift): Bounds => ({
  left: left + x,
  bottom: bottom + y,
  right: right + x,
  top: top + y,
});

/** Over the middle of its letter, at the height that the font gives it. */
export function centred(letter: Letter, { face, glyph }: Accent): Shift {
  const ink = face.boundsOf(glyph);
  const middle = ink === null ? 0 : (ink.left + ink.right) / 2;
  return { x: letter.width / 2 - middle, y: 0 };
}

export const widthOf = (letters: readonly Letter[]): number => letters.reduce((sum, { width }) => sum + width, 0);

/** Whether anything would be visible: spaces and control characters leave no ink. */
export function hasInk(text: string, fonts: Fonts): boolean {
  return shape(text, fonts).paragraphs.some(({ letters }) => letters.some(({ face, glyph }) => face.boundsOf(glyph) !== null));
}
