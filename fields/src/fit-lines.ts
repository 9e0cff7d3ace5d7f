// The size and the lines of a written value. The PDF engine and the signing page run this same code, each with the widths of its glyphs,
// so that a signer sees the lines that are stamped.

/** What is never divided: a character with its accents, or characters that are shaped together. */
export interface Unit {
  /** in ems */
  readonly width: number;
  readonly isSpace: boolean;
  /** a line may begin here without a preceding space */
  readonly mayBegin: boolean;
}

/** A part of a value that begins on a new line. */
export interface UnitParagraph<U extends Unit> {
  readonly letters: readonly U[];
  readonly rightToLeft: boolean;
}

/** From one baseline to the next, and from the top of a line to its baseline, in ems. */
export interface Pitch {
  readonly line_em: number;
  readonly baseline_em: number;
}

// Contracts are set in 10 to 12 points; a larger value would stand out.
const LARGEST_PT = 12;
// The area of a tag is as high as its line, so a value in it is almost as large as the surrounding text and still fits on one line.
const LARGEST_OF_HEIGHT = 0.8;
/** The smallest size that is easy to read on paper. */
export const SMALLEST_PT = 6;
const STEP_PT = 0.5;
/** On the left and right, so that letters do not touch lines around the area. */
export const PADDING_PT = 2;
/** From one baseline to the next, in ems, so that accents and descenders do not touch. */
export const LINE_EM = 1.2;
/** From the top of a line to its baseline, so that capitals are vertically centred. */
export const BASELINE_EM = 0.957;

/** The largest size, with its lines, at which the paragraphs fit their box; null if they do not fit at 6 points. */
export function fitLines<U extends Unit>(
  paragraphs: readonly UnitParagraph<U>[],
  { w_pt, h_pt }: { readonly w_pt: number; readonly h_pt: number },
  { line_em }: Pick<Pitch, "line_em">,
): { readonly size_pt: number; readonly lines: readonly UnitParagraph<U>[] } | null {
  for (const breaks of ["between words", "anywhere"] as const) {
    for (const size_pt of sizes(h_pt, line_em)) {
      const room = Math.floor(h_pt / (line_em * size_pt) + 1e-9);
      const lines = breakLines(paragraphs, (w_pt - 2 * PADDING_PT) / size_pt, breaks, room);
      if (lines !== null) return { size_pt, lines };
    }
  }
  return null;
}

function sizes(h_pt: number, line_em: number): number[] {
  const list: number[] = [];
  for (let size = Math.min(LARGEST_PT, LARGEST_OF_HEIGHT * (LINE_EM / line_em) * h_pt); size > SMALLEST_PT; size -= STEP_PT)
    list.push(size);
  return [...list, SMALLEST_PT];
}

/** Null if it needs more than `room` lines, or if a word is wider than `width` (in ems). */
export function breakLines<U extends Unit>(
  paragraphs: readonly UnitParagraph<U>[],
  width: number,
  breaks: "between words" | "anywhere",
  room: number,
): UnitParagraph<U>[] | null {
  const lines: UnitParagraph<U>[] = [];
  for (const { letters, rightToLeft } of paragraphs) {
    for (let rest = letters; ; ) {
      const end = lineEnd(rest, width, breaks);
      if (end === null || lines.length === room) return null;
      lines.push({ letters: withoutSpacesAtEnd(rest.slice(0, end)), rightToLeft });
      rest = rest.slice(end);
      if (rest.length === 0) break;
    }
  }
  return lines;
}

// The number of letters on the first line, including the spaces after it; null if not even one word fits. Tolerates rounding errors, so
// that a line exactly as wide as its box fits.
function lineEnd(letters: readonly Unit[], width: number, breaks: "between words" | "anywhere"): number | null {
  let sum = 0;
  let lastBreak = 0;
  for (const [at, letter] of letters.entries()) {
    if (at > 0 && (letter.mayBegin || letters[at - 1]?.isSpace === true)) lastBreak = at;
    sum += letter.width;
    // Spaces at the end of a line are invisible and may extend beyond the box.
    if (letter.isSpace || sum <= width + 1e-9) continue;
    if (lastBreak > 0) return lastBreak;
    return breaks === "anywhere" && at > 0 ? at : null;
  }
  return letters.length;
}

function withoutSpacesAtEnd<U extends Unit>(letters: readonly U[]): readonly U[] {
  let end = letters.length;
  while (end > 0 && letters[end - 1]?.isSpace) end--;
  return letters.slice(0, end);
}

/** The paragraphs of a value, in composed characters. */
export function paragraphsOf(value: string): string[] {
  return value
    .normalize("NFC")
    .trimEnd()
    .replaceAll("\t", " ")
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/);
}

/** Whether a line may end at this character: not at a no-break space. */
export const isSpace = (text: string): boolean => /^\s$/u.test(text) && text !== "\u00a0" && text !== "\u202f";

const CJK = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\uff01-\uff60]/u;
// No line begins with a closing character, and none ends with an opening one.
const CLOSING = /[\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1a\uff1b\uff09\u300d\u300f\u3011\u3015\u3009\u300b\u30fc\u3005]/;
const OPENING = /[\uff08\u300c\u300e\u3010\u3014\u3008\u300a]/;

/** Whether a line may begin between two characters without a space: in Chinese, Japanese and Korean. */
export function mayBegin(before: string | undefined, text: string): boolean {
  if (before === undefined || CLOSING.test(text) || OPENING.test(before)) return false;
  return CJK.test(text) || CJK.test(before);
}

/** Whether the script stacks marks above and below its letters, so that a line may be higher than usual. */
export const isStacked = (text: string): boolean => /[\p{sc=Thai}\p{sc=Deva}]/u.test(text);

/** Where the words of a Thai text begin, except at its start: Thai has no spaces between words. Two marks belong to the word before them. */
export function thaiWordStarts(text: string): Set<number> {
  // Absent in browsers before 2024: there, Thai breaks at spaces.
  if (!("Segmenter" in Intl)) return new Set();
  const words = new Intl.Segmenter("th", { granularity: "word" }).segment(text);
  return new Set([...words].filter(({ index, segment }) => index > 0 && !/^[\u0e2f\u0e46]/.test(segment)).map(({ index }) => index));
}

/** The lines of a cross in a box, from the top left, and its pen: it cannot be mistaken for a crossed-out tick. */
export function crossIn(
  w: number,
  h: number,
): { readonly lines: readonly (readonly [number, number, number, number])[]; readonly pen: number } {
  const side = Math.min(w, h);
  const [x, y, r] = [w / 2, h / 2, (side * CROSS_OF_SIDE) / 2];
  return {
    lines: [
      [x - r, y - r, x + r, y + r],
      [x - r, y + r, x + r, y - r],
    ],
    pen: side * CROSS_PEN_OF_SIDE,
  };
}

const CROSS_OF_SIDE = 0.64;
const CROSS_PEN_OF_SIDE = 0.1;
const DISC_OF_SIDE = 0.56;

/** The middle and the radius of the disc in a box. */
export function discIn(w: number, h: number): { readonly x: number; readonly y: number; readonly r: number } {
  return { x: w / 2, y: h / 2, r: (Math.min(w, h) * DISC_OF_SIDE) / 2 };
}
