// The lexer for content streams (ISO 32000-2, 7.2 and 7.8.2). It processes every byte of every page, so it uses typed arrays and creates
// objects only for strings and arrays. Malformed input is skipped, as viewers do.

import { byteClasses, REGULAR, SPACE } from "../byte-classes.ts";
import { limits, tooMany } from "./limits.ts";

/** A number, a name (string), a string (bytes), an array, a dictionary, a boolean, or null. */
export type Operand = number | string | Uint8Array | readonly Operand[] | ReadonlyMap<string, Operand> | boolean | null;

export type Word = "end" | "operand" | "operator";

export class Lexer {
  readonly bytes: Uint8Array;
  at: number;
  /** The start of the last word. */
  start = 0;
  operand: Operand = null;
  /** The last operator, packed into a number like `operatorCode` does. */
  operator = 0;
  /** The number of strings, arrays and dictionaries that were never closed; other readers may read further into them than this one. */
  unclosed = 0;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  next(): Word {
    this.skipSpace();
    this.start = this.at;
    return this.word(0);
  }

  private skipSpace(): void {
    const { bytes } = this;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at] as number;
      if (byte === 0x25) {
        while (this.at < bytes.length && bytes[this.at] !== 10 && bytes[this.at] !== 13) this.at++;
      } else if (byteClasses[byte] !== SPACE) return;
    }
  }

  private word(depth: number): Word {
    const byte = this.bytes[this.at];
    if (byte === undefined) return "end";
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b) return this.number();
    if (byteClasses[byte] === REGULAR) return this.keyword();
    if (byte === 0x2f) this.operand = this.name();
    else if (byte === 0x28) this.operand = this.literal();
    else if (byte === 0x5b) this.operand = this.array(depth);
    else if (byte === 0x3c) this.operand = this.bytes[this.at + 1] === 0x3c ? this.dictionary(depth) : this.hex();
    else return this.stray();
    return "operand";
  }

  // Skips a closing bracket without an opening one.
  private stray(): Word {
    this.at++;
    this.operator = 0;
    return "operator";
  }

  private number(): Word {
    const { bytes } = this;
    let value = 0;
    let scale = 0;
    let negative = false;
    let digits = 0;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at] as number;
      if (byte >= 0x30 && byte <= 0x39) {
        value = value * 10 + (byte - 0x30);
        scale *= 10;
        digits++;
      } else if (byte === 0x2e && scale === 0) scale = 1;
      else if (byte === 0x2d && digits === 0) negative = true;
      else if (byteClasses[byte] !== REGULAR) break;
      else if (byte !== 0x2b && byte !== 0x2d && byte !== 0x2e) return this.notNumber(digits);
    }
    const magnitude = scale > 1 ? value / scale : value;
    this.operand = negative ? -magnitude : magnitude;
    return "operand";
  }

  // "0Tj" is read as a number and an operator, as in viewers; "-x" is a keyword.
  private notNumber(digits: number): Word {
    if (digits === 0) {
      while (this.at < this.bytes.length && byteClasses[this.bytes[this.at] as number] === REGULAR) this.at++;
      this.operator = 0;
      return "operator";
    }
    const text = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.start, this.at - this.start).toString("latin1");
    this.operand = Number.parseFloat(text) || 0;
    return "operand";
  }

  private keyword(): Word {
    const { bytes } = this;
    const from = this.at;
    let code = 0;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at] as number;
      if (byteClasses[byte] !== REGULAR) break;
      code = this.at - from < 4 ? code | (byte << (8 * (this.at - from))) : code;
    }
    const length = this.at - from;
    if (length >= 4 && this.isConstant(from, length)) return "operand";
    this.operator = length > 3 ? 0 : code;
    return "operator";
  }

  private isConstant(from: number, length: number): boolean {
    const text = length <= 5 ? String.fromCharCode(...this.bytes.subarray(from, from + length)) : "";
    if (text !== "true" && text !== "false" && text !== "null") return false;
    this.operand = text === "null" ? null : text === "true";
    return true;
  }

  private name(): string {
    const { bytes } = this;
    const from = ++this.at;
    let escaped = false;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at] as number;
      if (byteClasses[byte] !== REGULAR) break;
      if (byte === 0x23) escaped = true;
    }
    let text = "";
    for (let i = from; i < this.at; i++) text += String.fromCharCode(bytes[i] as number);
    return escaped ? text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text;
  }

  private literal(): Uint8Array {
    const { bytes } = this;
    const from = ++this.at;
    let depth = 1;
    let plain = true;
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at] as number;
      if (byte === 0x5c) {
        plain = false;
        this.at++;
      } else if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) break;
      else if (byte === 13) plain = false;
    }
    const raw = bytes.subarray(from, Math.min(this.at, bytes.length));
    if (this.at >= bytes.length) this.unclosed++;
    this.at = Math.min(this.at + 1, bytes.length);
    return plain ? raw : unescaped(raw);
  }

  private hex(): Uint8Array {
    const { bytes } = this;
    const from = ++this.at;
    while (this.at < bytes.length && bytes[this.at] !== 0x3e) this.at++;
    if (this.at >= bytes.length) this.unclosed++;
    const out = new Uint8Array((this.at - from + 1) >> 1);
    let digits = 0;
    for (let i = from; i < this.at; i++) {
      const digit = hexDigit(bytes[i] as number);
      if (digit < 0) continue;
      out[digits >> 1] = (digits & 1) === 0 ? digit << 4 : (out[digits >> 1] as number) | digit;
      digits++;
    }
    this.at = Math.min(this.at + 1, bytes.length);
    return out.subarray(0, (digits + 1) >> 1);
  }

  private array(depth: number): readonly Operand[] {
    if (depth >= limits.nesting) throw tooMany(limits.nesting, "arrays or dictionaries inside each other");
    const items: Operand[] = [];
    this.at++;
    for (;;) {
      this.skipSpace();
      const byte = this.bytes[this.at];
      if (byte === undefined) {
        this.unclosed++;
        return items;
      }
      if (byte === 0x5d) {
        this.at++;
        return items;
      }
      const from = this.at;
      if (this.word(depth + 1) === "operand") items.push(this.operand);
      else if (this.operator !== 0 && endsArray(this.operator)) {
        this.at = from; // the bracket was never closed
        this.unclosed++;
        return items;
      }
    }
  }

  private dictionary(depth: number): ReadonlyMap<string, Operand> {
    if (depth >= limits.nesting) throw tooMany(limits.nesting, "arrays or dictionaries inside each other");
    const entries = new Map<string, Operand>();
    this.at += 2;
    let key: string | null = null;
    for (;;) {
      this.skipSpace();
      const byte = this.bytes[this.at];
      if (byte === undefined) {
        this.unclosed++;
        return entries;
      }
      if (byte === 0x3e) {
        this.at += this.bytes[this.at + 1] === 0x3e ? 2 : 1;
        return entries;
      }
      const from = this.at;
      if (this.word(depth + 1) !== "operand") {
        if (this.operator === 0 && byteClasses[byte] !== REGULAR) continue;
        this.at = from; // the dictionary was never closed
        this.unclosed++;
        return entries;
      }
      if (key !== null) {
        entries.set(key, this.operand);
        key = null;
      } else if (typeof this.operand === "string") key = this.operand;
    }
  }
}

/** The value of `Lexer.operator` for an operator: `operatorCode("Tj")`. */
export function operatorCode(name: string): number {
  let code = 0;
  for (let i = 0; i < name.length; i++) code |= name.charCodeAt(i) << (8 * i);
  return code;
}

const closers = new Set(["TJ", "Tj", "ET", "BT", "Q"].map(operatorCode));
const endsArray = (operator: number): boolean => closers.has(operator);

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

const escapes: Readonly<Record<number, number>> = { 110: 10, 114: 13, 116: 9, 98: 8, 102: 12 };

function unescaped(raw: Uint8Array): Uint8Array {
  const out = new Uint8Array(raw.length);
  let size = 0;
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i] as number;
    if (byte === 13) {
      out[size++] = 10; // any line ending in a string is one line feed
      if (raw[i + 1] === 10) i++;
      continue;
    }
    if (byte !== 0x5c) {
      out[size++] = byte;
      continue;
    }
    const next = raw[++i];
    if (next === undefined) break;
    if (next >= 0x30 && next <= 0x37) {
      let value = next - 0x30;
      for (let more = 0; more < 2 && isOctal(raw[i + 1]); more++) value = value * 8 + (raw[++i] as number) - 0x30;
      out[size++] = value & 255;
    } else if (next === 13 || next === 10) {
      if (next === 13 && raw[i + 1] === 10) i++;
    } else out[size++] = escapes[next] ?? next;
  }
  return out.subarray(0, size);
}

const isOctal = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x37;
