// Converts a value to glyphs, paragraph by paragraph and in reading order: chooses the font for each character, joins Arabic letters and
// mirrors brackets. Lines are broken on this result; each line is put into visual order at the end (`inOrderOfTheEye`). Not supported,
// and reported: scripts whose letters stack or change places (Indic, Thai, Khmer), and emoji.

import bidiFactory, { type Bidi } from "bidi-js";
import type { Face } from "./face.ts";
import type { Fonts, Found } from "./fonts.ts";
import { joinArabic, lacksShapes } from "./join-arabic.ts";

export type Accent = { readonly face: Face; readonly glyph: number; readonly text: string };

/** A glyph with its accents. */
export type Letter = {
  /** What it represents, in the value's own characters. */
  readonly text: string;
  /**
   * The text of the glyph in the PDF. PDFium and poppler read right-to-left text in painted order and reverse it and its brackets
   * themselves. They would reverse a lam-alef ligature as two letters, so it is written as one character.
   */
  readonly told: string;
  readonly face: Face;
  readonly glyph: number;
  /** In ems. */
  readonly width: number;
  readonly accents: readonly Accent[];
  /** The embedding level (UAX 9): odd levels are right-to-left. */
  readonly level: number;
  readonly isSpace: boolean;
  /** A line may begin here without a preceding space: Chinese, Japanese, Korean. */
  readonly mayBegin: boolean;
};

export type Paragraph = { readonly letters: readonly Letter[]; readonly rightToLeft: boolean };

export type Shaped = {
  readonly paragraphs: readonly Paragraph[];
  /** Whether a character is in no font and is drawn as U+FFFD. */
  readonly missing: boolean;
  /** The packages with fonts for the missing characters. */
  readonly packages: readonly string[];
  /** Whether letters are drawn side by side although the script joins or stacks them. */
  readonly unshaped: boolean;
};

/** Matches right-to-left letters and direction controls. */
export const RIGHT_TO_LEFT = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\u202a-\u202e\u2066-\u2069\u200f]/u;
const CJK = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\uff01-\uff60]/u;
// No line begins with a closing character, and none ends with an opening one.
const CLOSING = /[\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1a\uff1b\uff09\u300d\u300f\u3011\u3015\u3009\u300b\u30fc\u3005]/;
const OPENING = /[\uff08\u300c\u300e\u3010\u3014\u3008\u300a]/;
const SPACE = 0x20;
const COMBINING = /^[\p{Mn}\p{Me}]$/u;
// These control joining, direction and variants, and are invisible.
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Variation_Selector}]$/u;
const STACKED =
  /[\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Thai}\p{sc=Laoo}\p{sc=Tibt}\p{sc=Mymr}\p{sc=Khmr}\p{sc=Mong}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{Emoji_Presentation}]/u;

// The types describe the ES build; Node loads the other build, whose whole export is the function.
const makeBidi = bidiFactory as unknown as () => Bidi;
let algorithm: Bidi | null = null;

/** Uses the fonts for values; `face`, if given, draws every character that it has. */
export function shape(value: string, fonts: Fonts, face: Face | null = null): Shaped {
  const packages = new Set<string>();
  let missing = false;
  const find = (point: number): Found => {
    const glyph = face?.glyphOf(point) ?? 0;
    if (face !== null && glyph !== 0) return { face, glyph };
    // A space that no font has is still drawn as a space.
    const found = fonts.find(point, value) ?? (/\s/u.test(String.fromCodePoint(point)) ? fonts.find(SPACE, value) : null);
    if (found !== null) return found;
    missing = true;
    const wanted = fonts.missingPackage(point, value);
    if (wanted !== null) packages.add(wanted);
    return fonts.replacement;
  };
  const paragraphs = spelled(value).map((paragraph) => shapeParagraph(paragraph, find));
  const unshaped = STACKED.test(value) || (RIGHT_TO_LEFT.test(value) && [...value].some((character) => lacksShapes(pointOf(character))));
  return { paragraphs, missing, packages: [...packages], unshaped };
}

// Precomposed letters have their own glyphs, which look better than a letter with a separate accent.
function spelled(value: string): string[] {
  return value
    .normalize("NFC")
    .trimEnd()
    .replaceAll("\t", " ")
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/);
}

const pointOf = (character: string): number => character.codePointAt(0) ?? 0;

type Character = { readonly text: string; readonly told: string; readonly point: number; readonly level: number };

function shapeParagraph(text: string, find: (point: number) => Found): Paragraph {
  const { characters, rightToLeft } = inDirections(text);
  const letters: Letter[] = [];
  for (const { text: spelling, told, point, level } of characters) {
    if (INVISIBLE.test(spelling)) continue;
    const base = letters.at(-1);
    if (COMBINING.test(spelling) && base !== undefined && !base.isSpace) {
      const glyph = base.face.glyphOf(point);
      const accent = glyph === 0 ? find(point) : { face: base.face, glyph };
      letters[letters.length - 1] = { ...base, accents: [...base.accents, { ...accent, text: spelling }] };
      continue;
    }
    const { face, glyph } = find(point);
    const isSpace = /^\s$/u.test(spelling) && spelling !== "\u00a0" && spelling !== "\u202f";
    const width = face.widthOf(glyph);
    letters.push({ text: spelling, told, face, glyph, width, accents: [], level, isSpace, mayBegin: mayBegin(base, spelling) });
  }
  return { letters, rightToLeft };
}

function mayBegin(before: Letter | undefined, text: string): boolean {
  if (before === undefined || CLOSING.test(text) || OPENING.test(before.text)) return false;
  return CJK.test(text) || CJK.test(before.text);
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
    return { text: spelling, told, point: mirrored?.codePointAt(0) ?? point, level };
  });
  return { characters, rightToLeft: (paragraphs[0]?.level ?? 0) % 2 === 1 };
}

/** The letters of one line in visual order, from left to right (UAX 9, rule L2): reverses each run, from the deepest level up. */
export function inOrderOfTheEye(line: readonly Letter[]): readonly Letter[] {
  const deepest = Math.max(0, ...line.map(({ level }) => level));
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

export const widthOf = (letters: readonly Letter[]): number => letters.reduce((sum, { width }) => sum + width, 0);

/** Whether there is a font for each character. */
export const isDrawable = (text: string, fonts: Fonts): boolean => !shape(text, fonts).missing;

/** Whether anything would be visible: spaces and control characters leave no ink. */
export function hasInk(text: string, fonts: Fonts): boolean {
  return shape(text, fonts).paragraphs.some(({ letters }) => letters.some(({ face, glyph }) => face.boundsOf(glyph) !== null));
}
