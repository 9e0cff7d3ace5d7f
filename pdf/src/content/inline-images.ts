// Skips the data of an inline image (ISO 32000-2, 8.9.7). The data can contain anything, including the letters "EI".

import { Lexer, type Operand, operatorCode } from "./lexer.ts";

const ID = operatorCode("ID");

const operators = new Set(
  "b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \""
    .split(" ")
    .map(operatorCode),
);

// A real EI is followed by an operator with only a few operands.
const WORDS_LOOKED_AT = 12;

/** Moves the lexer from after `BI` to after `EI`, or to the end of the bytes if there is no `EI`. */
export function skipInlineImage(lexer: Lexer): void {
  const entries = new Map<string, Operand>();
  let key: string | null = null;
  for (let word = lexer.next(); ; word = lexer.next()) {
    if (word === "end") return;
    if (word === "operator") {
      if (lexer.operator === ID) break;
      continue;
    }
    if (key === null) key = typeof lexer.operand === "string" ? lexer.operand : null;
    else {
      entries.set(key, lexer.operand);
      key = null;
    }
  }
  const start = lexer.at + 1; // one white-space character separates ID and the data
  const length = rawLength(entries);
  const stated = length === null ? null : endOfImage(lexer.bytes, start + length);
  lexer.at = stated ?? findEnd(lexer.bytes, start);
}

function rawLength(entries: ReadonlyMap<string, Operand>): number | null {
  const value = (short: string, long: string): Operand => entries.get(short) ?? entries.get(long) ?? null;
  const width = value("W", "Width");
  const height = value("H", "Height");
  if (typeof width !== "number" || typeof height !== "number" || value("F", "Filter") !== null) return null;
  const mask = value("IM", "ImageMask") === true;
  const bits = mask ? 1 : value("BPC", "BitsPerComponent");
  const components = mask ? 1 : componentsOf(value("CS", "ColorSpace"));
  if (typeof bits !== "number" || components === null) return null;
  return Math.ceil((width * bits * components) / 8) * height;
}

function componentsOf(space: Operand): number | null {
  if (Array.isArray(space)) return space[0] === "I" || space[0] === "Indexed" ? 1 : null;
  if (space === "G" || space === "DeviceGray" || space === "CalGray") return 1;
  if (space === "RGB" || space === "DeviceRGB" || space === "CalRGB") return 3;
  return space === "CMYK" || space === "DeviceCMYK" ? 4 : null;
}

const isSpace = (byte: number | undefined): boolean => byte === undefined || byte === 32 || (byte >= 9 && byte <= 13) || byte === 0;

/** The position after `EI` if it is at `at`, ignoring white space; otherwise null. */
function endOfImage(bytes: Uint8Array, at: number): number | null {
  let from = at;
  while (from < bytes.length && from < at + 4 && isSpace(bytes[from])) from++;
  return isEnd(bytes, from) ? from + 2 : null;
}

const isEnd = (bytes: Uint8Array, at: number): boolean => bytes[at] === 0x45 && bytes[at + 1] === 0x49 && isSpace(bytes[at + 2]);

function findEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at + 1 < bytes.length; at++) {
    if (isEnd(bytes, at) && isSpace(bytes[at - 1]) && operatorFollows(bytes, at + 2)) return at + 2;
  }
  return bytes.length;
}

function operatorFollows(bytes: Uint8Array, at: number): boolean {
  const lexer = new Lexer(bytes, at);
  for (let words = 0; words < WORDS_LOOKED_AT; words++) {
    const word = lexer.next();
    if (word === "end") return true;
    if (word === "operator") return operators.has(lexer.operator);
  }
  return false;
}
