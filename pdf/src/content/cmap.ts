// CMaps embedded in a file: ToUnicode (code to text) and Encoding (code to CID). ISO 32000-2, 9.7.5 and 9.10.3.

import { Lexer, type Operand } from "./lexer.ts";

export type CodeRange = { readonly bytes: number; readonly low: number; readonly high: number };

export type CMap = {
  readonly codespaces: readonly CodeRange[];
  /** Maps codes to text (ToUnicode). */
  readonly text: ReadonlyMap<number, string>;
  /** The CID of a code; undefined if there is none. */
  readonly cid: (code: number) => number | undefined;
  readonly vertical: boolean;
  /** The predefined CMap that this one extends. */
  readonly base: string | null;
};

// A range of a dozen bytes can cover 2^32 codes. No font has more glyphs than this.
const MAX_ENTRIES = 200_000;

// Every code of every string is compared with all of them.
const MAX_CODESPACES = 64;

type Section = "codespace" | "bfchar" | "bfrange" | "cidchar" | "cidrange";

const ends: Readonly<Record<string, Section>> = {
  endcodespacerange: "codespace",
  endbfchar: "bfchar",
  endbfrange: "bfrange",
  endcidchar: "cidchar",
  endcidrange: "cidrange",
};

export function parseCMap(bytes: Uint8Array): CMap {
  const text = new Map<number, string>();
  const codespaces: CodeRange[] = [];
  const cids: CidRange[] = [];
  let vertical = false;
  let base: string | null = null;
  let operands: Operand[] = [];
  const lexer = new Lexer(bytes);
  for (let word = lexer.next(); word !== "end"; word = lexer.next()) {
    if (word === "operand") {
      operands.push(lexer.operand);
      if (operands.length > MAX_ENTRIES) operands = [];
      continue;
    }
    const keyword = latin1(bytes.subarray(lexer.start, lexer.at));
    const section = ends[keyword];
    if (section === "codespace") codespaces.push(...ranges(operands).slice(0, MAX_CODESPACES - codespaces.length));
    else if (section === "bfchar") readBfChars(operands, text);
    else if (section === "bfrange") readBfRanges(operands, text);
    else if (section === "cidchar") readCids(operands, 2, cids);
    else if (section === "cidrange") readCids(operands, 3, cids);
    else if (keyword === "def" && operands.at(-2) === "WMode") vertical = operands.at(-1) === 1;
    else if (keyword === "usecmap" && typeof operands.at(-1) === "string") base = operands.at(-1) as string;
    operands = [];
  }
  return { codespaces, text, cid: cidFinder(cids), vertical, base };
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");

function codeOf(value: Operand | undefined): number | null {
  if (!(value instanceof Uint8Array) || value.length > 4) return null;
  return value.reduce((code, byte) => code * 256 + byte, 0);
}

/** The text of a ToUnicode string: UTF-16, big-endian. */
function utf16(value: Operand | undefined): string | null {
  if (!(value instanceof Uint8Array)) return null;
  if (value.length === 1) return String.fromCharCode(value[0] ?? 0);
  let text = "";
  for (let i = 0; i + 1 < value.length; i += 2) text += String.fromCharCode(((value[i] ?? 0) << 8) | (value[i + 1] ?? 0));
  return text;
}

function ranges(operands: readonly Operand[]): CodeRange[] {
  const found: CodeRange[] = [];
  for (let i = 0; i + 1 < operands.length; i += 2) {
    const low = codeOf(operands[i]);
    const high = codeOf(operands[i + 1]);
    const bytes = operands[i];
    if (low !== null && high !== null && bytes instanceof Uint8Array && bytes.length > 0) found.push({ bytes: bytes.length, low, high });
  }
  return found;
}

function readBfChars(operands: readonly Operand[], text: Map<number, string>): void {
  for (let i = 0; i + 1 < operands.length; i += 2) {
    const code = codeOf(operands[i]);
    const to = utf16(operands[i + 1]);
    if (code !== null && to !== null && text.size < MAX_ENTRIES) text.set(code, to);
  }
}

function readBfRanges(operands: readonly Operand[], text: Map<number, string>): void {
  for (let i = 0; i + 2 < operands.length; i += 3) {
    const low = codeOf(operands[i]);
    const high = codeOf(operands[i + 1]);
    const to = operands[i + 2];
    if (low === null || high === null) continue;
    const first = Array.isArray(to) ? null : utf16(to);
    for (let code = low; code <= high && text.size < MAX_ENTRIES && code - low < 65536; code++) {
      const each = first === null ? (Array.isArray(to) ? utf16(to[code - low]) : null) : advance(first, code - low);
      if (each !== null) text.set(code, each);
    }
  }
}

/** Advances the last character of the text, which may be outside the basic plane. */
function advance(first: string, by: number): string {
  if (by === 0) return first;
  const points = [...first];
  const last = (points.pop()?.codePointAt(0) ?? 0) + by;
  return last > 0x10ffff ? first : points.join("") + String.fromCodePoint(last);
}

type CidRange = { readonly low: number; readonly high: number; readonly cid: number };

function readCids(operands: readonly Operand[], step: 2 | 3, found: CidRange[]): void {
  for (let i = 0; i + step - 1 < operands.length; i += step) {
    const low = codeOf(operands[i]);
    const high = step === 3 ? codeOf(operands[i + 1]) : low;
    const cid = operands[i + step - 1];
    if (low !== null && high !== null && typeof cid === "number") found.push({ low, high, cid });
  }
}

// Published CMaps have up to 20,000 ranges, in ascending order. Where ranges overlap, the first one in the file counts.
function cidFinder(cids: readonly CidRange[]): (code: number) => number | undefined {
  const cidIn = (range: CidRange | undefined, code: number) => (range === undefined ? undefined : range.cid + code - range.low);
  const sorted = [...cids].sort((a, b) => a.low - b.low);
  if (sorted.some(({ high }, i) => high >= (sorted[i + 1]?.low ?? Infinity))) {
    return (code) =>
      cidIn(
        cids.find(({ low, high }) => code >= low && code <= high),
        code,
      );
  }
  return (code) => {
    let from = 0;
    let to = sorted.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((sorted[middle]?.high ?? 0) < code) from = middle + 1;
      else to = middle;
    }
    const range = sorted[from];
    return range !== undefined && code >= range.low ? cidIn(range, code) : undefined;
  };
}
