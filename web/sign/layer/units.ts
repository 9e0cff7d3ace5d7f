import {
  BASELINE_EM,
  isSpace,
  isStacked,
  LINE_EM,
  mayBegin,
  type Pitch,
  paragraphsOf,
  thaiWordStarts,
  type UnitParagraph,
} from "@countersign/fields/fit";

/** Values divided and measured like in the PDF engine, with the widths of the same fonts. */

export interface ShownUnit {
  readonly text: string;
  readonly width: number;
  readonly isSpace: boolean;
  readonly mayBegin: boolean;
}

/** In ems: the width, and how far the ink reaches above and below the baseline. */
export interface Extent {
  readonly width: number;
  readonly above: number;
  readonly below: number;
}

export type Measure = (text: string) => Extent;

const RIGHT_TO_LEFT = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u;
// A character with everything that stands on it or joins it.
const UNIT = /.[\p{M}\u200c\u200d]*/gsu;
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

export function unitsOf(value: string, measure: Measure): UnitParagraph<ShownUnit>[] {
  return paragraphsOf(value).map((text) => ({ letters: lettersOf(text, measure), rightToLeft: isRightToLeft(text) }));
}

/** By the first letter, as in UAX 9. */
function isRightToLeft(text: string): boolean {
  const [first] = /\p{L}/u.exec(text) ?? [];
  return first !== undefined && RIGHT_TO_LEFT.test(first);
}

function lettersOf(text: string, measure: Measure): ShownUnit[] {
  const words = /\p{sc=Thai}/u.test(text) ? thaiWordStarts(text) : new Set<number>();
  let before: string | undefined;
  // Letters of other scripts change with their neighbours, so a word is measured letter by letter as it grows.
  let word = "";
  return [...text.matchAll(UNIT)].map(({ 0: unit, index }) => {
    const shown = unit.replaceAll(INVISIBLE, "");
    const grown = /\s/u.test(unit) ? "" : word + shown;
    const width =
      cjkWidth(unit) ?? (isJoined(grown) ? measure(grown).width - (word === "" ? 0 : measure(word).width) : measure(shown).width);
    word = cjkWidth(unit) === null ? grown : "";
    const made = { text: unit, width, isSpace: isSpace(unit), mayBegin: words.has(index) || mayBegin(before, unit) };
    before = unit;
    return made;
  });
}

const isJoined = (word: string): boolean => RIGHT_TO_LEFT.test(word) || isStacked(word);

/**
 * Chinese, Japanese and Korean fonts are too large to load. Their characters have fixed widths in the document's fonts, and the device's
 * font is drawn with these; null for other characters.
 */
export function cjkWidth(text: string): number | null {
  if (/^\p{sc=Hang}/u.test(text)) return 0.92;
  if (/^[\uff61-\uffdc]/.test(text)) return 0.5;
  return /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3000-\u30ff\uff01-\uff60]/u.test(text) ? 1 : null;
}

export function pitchOf(paragraphs: readonly UnitParagraph<ShownUnit>[], measure: Measure): Pitch {
  let [above, below] = [BASELINE_EM, LINE_EM - BASELINE_EM];
  for (const { text } of paragraphs.flatMap(({ letters }) => letters)) {
    if (!isStacked(text)) continue;
    const extent = measure(text);
    above = Math.max(above, extent.above);
    below = Math.max(below, extent.below);
  }
  return { line_em: above + below, baseline_em: above };
}
