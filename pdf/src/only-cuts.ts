// Whether the content of a page differs from that of the upload only in texts of which a part is missing, which is what removing tags leaves
// of most pages: every other glyph is the same and in the same place. It reads the operators of both contents side by side, and says no if
// it is not certain. Where a text ends earlier and the next one is placed anew, no width matters; elsewhere the move that replaces the missing
// glyphs must be as wide as these, by the widths that the font states.

import { Lexer, type Operand, operatorCode } from "./content/lexer.ts";

/** The widths of a font's codes in thousandths of an em, and how many bytes a code has. NaN for a code without a stated width. */
export type StatedWidths = { readonly bytes: 1 | 2; readonly widthOf: (code: number) => number };

/** The resources of the page. */
export type TextResources = {
  /** Null for a font that does not state its widths in a way that all readers understand. */
  readonly widths: (font: string) => StatedWidths | null;
  /** Whether a graphics state (`gs`) sets a font. */
  readonly setsFont: (state: string) => boolean;
};

const codeOf = operatorCode;
const SHOWS = new Set(["Tj", "TJ", "'", '"'].map(codeOf));
// They place the text that follows, or begin with a new line.
const PLACES = new Set(["BT", "ET", "Td", "TD", "Tm", "T*", "'", '"'].map(codeOf));
const SHOW = codeOf("Tj");
const SHOW_ARRAY = codeOf("TJ");
const NEXT_LINE_SHOW = codeOf("'");
const SPACED_SHOW = codeOf('"');
const NEXT_LINE = codeOf("T*");
const WORD_SPACING = codeOf("Tw");
const CHARACTER_SPACING = codeOf("Tc");
const FONT = codeOf("Tf");
const RENDER_MODE = codeOf("Tr");
const STATE = codeOf("gs");
const SAVE = codeOf("q");
const RESTORE = codeOf("Q");
// The bytes of an inline image are no operators.
const INLINE_IMAGE = codeOf("BI");
// From this render mode on, text is also a clip for what follows.
const FIRST_CLIPPING_MODE = 4;

type Operation = { readonly operator: number; readonly operands: readonly Operand[] };

type TextState = {
  readonly font: StatedWidths | null;
  readonly size: number;
  readonly characters: number;
  readonly words: number;
};

/** Whether `now` is `old` without some of the glyphs of its texts, and nothing else. */
export function onlyCuts(old: Uint8Array, now: Uint8Array, resources: TextResources): boolean {
  const [before, after] = [new Lexer(old), new Lexer(now)];
  let state: TextState = { font: null, size: 0, characters: 0, words: 0 };
  const saved: TextState[] = [];
  // Whether a text was cut whose widths are not known, so that what follows on the line could have moved.
  let isPenLost = false;
  for (;;) {
    const [was, is] = [operationOf(before), operationOf(after)];
    if (was === null || is === null) return was === is && before.unclosed === 0 && after.unclosed === 0;
    if (was.operator === INLINE_IMAGE || was.operator === 0 || mayClip(was)) return false;
    if (PLACES.has(was.operator)) isPenLost = false;
    if (was.operator === SAVE) saved.push(state);
    // Without a saved state, readers differ.
    if (was.operator === RESTORE) state = saved.pop() ?? { ...state, font: null };
    state = stateAfter(state, was, resources);
    const isSame = areEqual(was.operands, is.operands) && was.operator === is.operator;
    if (isSame && !(isPenLost && SHOWS.has(was.operator))) continue;
    if (isSame) return false;
    const shown = afterPrelude(was, is, after);
    if (shown?.operator !== SHOW_ARRAY || shown.operands.length !== 1) return false;
    const [left, whole] = [piecesOf(shown.operands[0]), piecesOf(was.operands.at(-1))];
    if (left === null || whole === null) return false;
    if (isPenLost && left.some((piece) => piece instanceof Uint8Array)) return false;
    if (isSubset(left, whole, state)) continue;
    if (!isBeginning(left, whole)) return false;
    isPenLost = true;
  }
}

/** Null at the end. Operands without an operator at the end are ignored, as by viewers. */
function operationOf(lexer: Lexer): Operation | null {
  const operands: Operand[] = [];
  for (;;) {
    const word = lexer.next();
    if (word === "end") return null;
    if (word === "operator") return { operator: lexer.operator, operands };
    operands.push(lexer.operand);
  }
}

const mayClip = ({ operator, operands }: Operation): boolean =>
  operator === RENDER_MODE && !(typeof operands[0] === "number" && operands[0] < FIRST_CLIPPING_MODE);

/** Operands of another kind make the font unknown, and with it every width. */
function stateAfter(state: TextState, { operator, operands }: Operation, resources: TextResources): TextState {
  const [first, second] = operands;
  const number = (value: Operand | undefined): number => (typeof value === "number" ? value : Number.NaN);
  if (operator === FONT) {
    const font = operands.length === 2 && typeof first === "string" ? resources.widths(first) : null;
    return { ...state, font, size: number(second) };
  }
  if (operator === CHARACTER_SPACING) return { ...state, characters: number(first) };
  if (operator === WORD_SPACING) return { ...state, words: number(first) };
  if (operator === SPACED_SHOW) return { ...state, words: number(first), characters: number(second) };
  if (operator === STATE && (typeof first !== "string" || resources.setsFont(first))) return { ...state, font: null };
  return state;
}

/** The operation that shows what is left: a text on a new line, with its own spacing or not, is written as the operators that it implies. */
function afterPrelude(was: Operation, is: Operation, after: Lexer): Operation | null {
  if (was.operator === SHOW || was.operator === SHOW_ARRAY) return is;
  if (was.operator !== NEXT_LINE_SHOW && was.operator !== SPACED_SHOW) return null;
  let next: Operation | null = is;
  const [words, characters] = was.operands;
  const implied = [{ operator: NEXT_LINE, operands: [] as Operand[] }];
  if (was.operator === SPACED_SHOW) {
    if (was.operands.length !== 3 || words === undefined || characters === undefined) return null;
    implied.unshift({ operator: WORD_SPACING, operands: [words] }, { operator: CHARACTER_SPACING, operands: [characters] });
  }
  for (const { operator, operands } of implied) {
    if (next?.operator !== operator || !areEqual(next.operands, operands)) return null;
    next = operationOf(after);
  }
  return next;
}

type Piece = Uint8Array | number;

/** The bytes of a text, with the moves between them: moves that follow each other are one. Null for what is no text. */
function piecesOf(shown: Operand | undefined): Piece[] | null {
  const items = Array.isArray(shown) ? (shown as readonly Operand[]) : [shown];
  const pieces: Piece[] = [];
  for (const item of items) {
    const last = pieces.at(-1);
    if (typeof item === "number") {
      if (typeof last === "number") pieces[pieces.length - 1] = last + item;
      else pieces.push(item);
    } else if (!(item instanceof Uint8Array)) return null;
    else if (last instanceof Uint8Array) pieces[pieces.length - 1] = Buffer.concat([last, item]);
    else if (item.length > 0) pieces.push(item);
  }
  return pieces;
}

// Moves are written with four decimals, and may be a sum of a thousand widths.
const SAME_MOVE = 0.001;

/** Whether the texts of `part` are where those of `whole` begin. A move at the end of `part` is where texts were cut off. */
function isBeginning(part: readonly Piece[], whole: readonly Piece[]): boolean {
  const kept = typeof part.at(-1) === "number" ? part.slice(0, -1) : part;
  return kept.every((piece, index) => {
    const own = whole[index];
    if (typeof piece === "number") return typeof own === "number" && Math.abs(piece - own) <= SAME_MOVE;
    if (!(own instanceof Uint8Array)) return false;
    const isLast = index === kept.length - 1;
    return isLast ? Buffer.compare(own.subarray(0, piece.length), piece) === 0 : Buffer.compare(own, piece) === 0;
  });
}

/** A code, or a move. */
type Step = { readonly code: number; readonly move: number };

/** Whether `part` shows codes of `whole`, in order and each in its place, and leaves the pen in the same place. */
function isSubset(part: readonly Piece[], whole: readonly Piece[], state: TextState): boolean {
  const [left, all] = [stepsOf(part, state), stepsOf(whole, state)];
  if (left === null || all === null) return false;
  let at = 0;
  // How far the pen of `part` is behind that of `whole`, where a glyph is missing.
  let behind = 0;
  for (const { code, move } of left) {
    if (code === NO_CODE) {
      behind -= move;
      continue;
    }
    // The first place where the code is the same: another one would need a code without width.
    for (; at < all.length; at++) {
      const other = all[at] as Step;
      if (other.code === code && Math.abs(behind) <= SAME_MOVE) break;
      behind += other.move;
    }
    if (at++ >= all.length) return false;
  }
  for (; at < all.length; at++) behind += (all[at] as Step).move;
  return Math.abs(behind) <= SAME_MOVE;
}

const NO_CODE = -1;

/** Null if a width is not known. */
function stepsOf(pieces: readonly Piece[], { font, size, characters, words }: TextState): Step[] | null {
  if (font === null || size === 0) return null;
  const steps: Step[] = [];
  for (const piece of pieces) {
    if (typeof piece === "number") {
      steps.push({ code: NO_CODE, move: -piece });
      continue;
    }
    if (piece.length % font.bytes !== 0) return null;
    for (let at = 0; at < piece.length; at += font.bytes) {
      const first = piece[at] as number;
      const code = font.bytes === 1 ? first : 256 * first + (piece[at + 1] as number);
      const spacing = characters + (font.bytes === 1 && code === 32 ? words : 0);
      const move = font.widthOf(code) + (1000 * spacing) / size;
      if (!Number.isFinite(move)) return null;
      steps.push({ code, move });
    }
  }
  return steps;
}

function areEqual(a: Operand, b: Operand): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item: Operand, index) => areEqual(item, b[index]));
  if (a instanceof Map)
    return b instanceof Map && a.size === b.size && [...a].every(([key, item]) => b.has(key) && areEqual(item, b.get(key)));
  return a === b;
}
