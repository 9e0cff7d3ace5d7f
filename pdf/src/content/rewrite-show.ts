// Rewrites a show operator without some of its glyphs. The others stay in place: each removed glyph is replaced by a number that moves
// the pen by the same distance (ISO 32000-2, 9.4.3).

import { spellNumber } from "../numbers.ts";
import type { Glyphs, Run } from "./glyphs.ts";
import { Lexer, type Operand, operatorCode } from "./lexer.ts";
import type { Source } from "./sources.ts";

/** Bytes that replace start..end of a source. */
export type Edit = { readonly start: number; readonly end: number; readonly bytes: Uint8Array };

const NEXT_LINE = operatorCode("'");
const SPACED_NEXT_LINE = operatorCode('"');

/** The operator of `run` without the glyphs for which `isGone` is true; `own` are all glyphs of the run, in order. */
export function rewriteShow(glyphs: Glyphs, run: Run, own: readonly number[], isGone: (glyph: number) => boolean): Edit {
  const { operands, operator } = readOperator(run.source, run.start, run.end);
  const shown = operands.at(-1) ?? null;
  const items: readonly Operand[] = Array.isArray(shown) ? shown : [shown];
  const array = new ShowArray();
  for (const [index, item] of items.entries()) {
    if (typeof item === "number") array.move(item);
    if (!(item instanceof Uint8Array)) continue;
    for (const glyph of own) {
      if (glyphs.operand[glyph] !== index) continue;
      const from = glyphs.from[glyph] as number;
      if (isGone(glyph)) array.move(-1000 * (glyphs.advance[glyph] as number));
      else array.show(item.subarray(from, from + (glyphs.length[glyph] as number)));
    }
  }
  return { start: run.start, end: run.end, bytes: latin1(` ${prelude(operator, operands)}${array.text()} TJ`) };
}

function readOperator({ bytes }: Source, start: number, end: number): { operands: Operand[]; operator: number } {
  const lexer = new Lexer(bytes, start);
  const operands: Operand[] = [];
  while (lexer.at < end) {
    const word = lexer.next();
    if (word === "end") break;
    if (word === "operator") return { operands, operator: lexer.operator };
    operands.push(lexer.operand);
  }
  return { operands, operator: 0 };
}

/** The operators that `'` and `"` imply before showing the text. */
function prelude(operator: number, operands: readonly Operand[]): string {
  if (operator === NEXT_LINE) return "T* ";
  if (operator !== SPACED_NEXT_LINE) return "";
  const spacing = (fromEnd: number): string => {
    const value = operands.at(-fromEnd);
    return spellNumber(typeof value === "number" ? value : 0);
  };
  return `${spacing(3)} Tw ${spacing(2)} Tc T* `;
}

/** An array for TJ: joins adjacent strings and adds up adjacent numbers. */
class ShowArray {
  private readonly parts: string[] = [];
  private moved = 0;
  private shown = "";

  show(bytes: Uint8Array): void {
    if (this.moved !== 0) this.parts.push(adjustment(this.moved));
    this.moved = 0;
    this.shown += Buffer.from(bytes).toString("hex");
  }

  move(thousandths: number): void {
    if (this.shown !== "") this.parts.push(`<${this.shown}>`);
    this.shown = "";
    this.moved += thousandths;
  }

  text(): string {
    const rest = this.shown !== "" ? [`<${this.shown}>`] : this.moved !== 0 ? [adjustment(this.moved)] : [];
    return `[${[...this.parts, ...rest].join(" ")}]`;
  }
}

// Adjustments are thousandths of an em; a ten-thousandth of that cannot be seen.
const adjustment = (value: number): string => spellNumber(Number(value.toFixed(4)));

export const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

/** An operand in PDF syntax; strings as hex. */
export function spellOperand(value: Operand): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return spellNumber(value);
  if (typeof value === "string")
    return `/${value.replace(/[^!-~]|[#()<>[\]{}/%]/g, (char) => `#${char.charCodeAt(0).toString(16).padStart(2, "0")}`)}`;
  if (value instanceof Uint8Array) return `<${Buffer.from(value).toString("hex")}>`;
  if (value instanceof Map)
    return `<<${[...value].map(([key, each]) => `${spellOperand(key)} ${spellOperand(each as Operand)}`).join(" ")}>>`;
  return `[${(value as readonly Operand[]).map(spellOperand).join(" ")}]`;
}

/** Applies all edits, which must not overlap. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[], from = 0, to = bytes.length): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = from;
  for (const { start, end, bytes: replacement } of [...edits].sort((a, b) => a.start - b.start)) {
    parts.push(bytes.subarray(at, start), replacement);
    at = end;
  }
  parts.push(bytes.subarray(at, to));
  return new Uint8Array(Buffer.concat(parts));
}
