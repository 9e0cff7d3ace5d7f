// The values of a file (ISO 32000-2, 7.3), read straight from its bytes. It accepts only what every reader reads in the same way: numbers and
// strings without oddities, streams with their true length. Everything else throws Odd.

import { inflateSync } from "node:zlib";
import { byteClasses, REGULAR, SPACE } from "./byte-classes.ts";
import { asBuffer } from "./sniff.ts";

export class Odd extends Error {}

export class Ref {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

/** `raw` are the bytes as they are in the file. */
export class Stream {
  readonly dict: Dict;
  readonly raw: Uint8Array;
  constructor(dict: Dict, raw: Uint8Array) {
    this.dict = dict;
    this.raw = raw;
  }
}

export type Dict = ReadonlyMap<string, Value>;

/** Names are "/" and strings "(" followed by their bytes, each as a character. */
export type Value = number | string | boolean | null | Ref | Stream | Dict | readonly Value[];

/** Follows references. Throws Odd for an object that is missing. */
export type Resolve = (value: Value | undefined) => Value;

// Objects of real files nest about 10 levels deep.
const MAX_DEPTH = 60;

/** The bytes of a stream without a filter, or with Flate and nothing else. */
export function plainBytes({ dict, raw }: Stream, resolve: Resolve, maxOutputLength: number): Uint8Array {
  const filter = resolve(dict.get("/Filter"));
  const only = Array.isArray(filter) && filter.length === 1 ? resolve(filter[0]) : filter;
  if (only === null || (Array.isArray(only) && only.length === 0)) return raw;
  if (only !== "/FlateDecode" || resolve(dict.get("/DecodeParms")) !== null || maxOutputLength <= 0) throw new Odd("a filter");
  try {
    return inflateSync(raw, { maxOutputLength });
  } catch (cause) {
    throw new Odd("a damaged or long stream", { cause });
  }
}

// Of numbers beyond 32 bits and of several signs, readers make different values.
const NUMBER = /^[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})$/;

export class Parser {
  private readonly bytes: Buffer;
  private at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = asBuffer(bytes);
    this.at = at;
  }

  object(isCompressed: boolean, resolve: Resolve): Value {
    const value = this.value(0);
    if (isCompressed) return value;
    const word = this.keyword();
    if (word === "endobj") return value;
    if (word !== "stream" || !(value instanceof Map)) throw new Odd(`${word} after an object`);
    if (this.bytes[this.at] === 13) this.at++;
    if (this.bytes[this.at++] !== 10) throw new Odd("no line feed after stream");
    const length = resolve(value.get("/Length"));
    if (typeof length !== "number" || !Number.isInteger(length) || length < 0 || this.at + length > this.bytes.length)
      throw new Odd("the length of a stream");
    const raw = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    if (this.keyword() !== "endstream") throw new Odd("a stream of another length");
    return new Stream(value, raw);
  }

  value(depth: number): Value {
    if (depth > MAX_DEPTH) throw new Odd("deep nesting");
    this.skipSpace();
    const byte = this.bytes[this.at] ?? 0;
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b) return this.numberOrRef();
    if (byte === 0x2f) return this.name();
    if (byte === 0x28) return this.literal();
    if (byte === 0x5b) return this.array(depth);
    if (byte === 0x3c) return this.bytes[this.at + 1] === 0x3c ? this.dict(depth) : this.hex();
    const word = this.keyword();
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    throw new Odd(`the word ${word}`);
  }

  private skipSpace(): void {
    const { bytes } = this;
    while (this.at < bytes.length && byteClasses[bytes[this.at] as number] === SPACE) this.at++;
    // A comment within an object is rare, and readers disagree on where it ends.
    if (bytes[this.at] === 0x25) throw new Odd("a comment");
  }

  private regular(): string {
    const from = this.at;
    while (this.at < this.bytes.length && byteClasses[this.bytes[this.at] as number] === REGULAR) this.at++;
    return this.bytes.toString("latin1", from, this.at);
  }

  private keyword(): string {
    this.skipSpace();
    return this.regular();
  }

  private numberOrRef(): number | Ref {
    const value = this.number();
    if (!Number.isInteger(value) || value < 0) return value;
    const end = this.at;
    this.skipSpace();
    const generation = this.digits();
    if (generation >= 0 && generation < 65_536 && this.at > end + 1) {
      const gap = this.at;
      this.skipSpace();
      const next = this.bytes[this.at + 1];
      if (this.at > gap && this.bytes[this.at] === 0x52 && (next === undefined || byteClasses[next] !== REGULAR)) {
        this.at++;
        return new Ref(value);
      }
    }
    this.at = end;
    return value;
  }

  /** -1 without a digit. */
  private digits(): number {
    const from = this.at;
    let value = 0;
    for (; this.at < this.bytes.length; this.at++) {
      const byte = this.bytes[this.at] as number;
      if (byte < 0x30 || byte > 0x39) break;
      value = value * 10 + byte - 0x30;
    }
    return this.at === from ? -1 : value;
  }

  private number(): number {
    const from = this.at;
    const whole = this.digits();
    const next = this.bytes[this.at];
    // Most numbers are short and have neither a sign nor a fraction.
    if (whole >= 0 && this.at - from < 10 && (next === undefined || (next !== 0x2e && byteClasses[next] !== REGULAR))) return whole;
    this.at = from;
    const text = this.regular();
    if (!NUMBER.test(text)) throw new Odd(`the number ${text}`);
    return Number.parseFloat(text);
  }

  private name(): string {
    this.at++;
    const text = this.regular();
    if (!text.includes("#")) return `/${text}`;
    if (/#(?![0-9A-Fa-f]{2})|#00/.test(text)) throw new Odd("an escape in a name");
    return `/${text.replace(/#(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`;
  }

  private literal(): string {
    const from = ++this.at;
    for (let depth = 1; depth > 0; this.at++) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw new Odd("a string without an end");
      if (byte === 0x5c) this.at++;
      else if (byte === 0x28) depth++;
      else if (byte === 0x29) depth--;
    }
    const text = this.bytes.toString("latin1", from, this.at - 1);
    return `(${/[\\\r]/.test(text) ? unescaped(text) : text}`;
  }

  private hex(): string {
    const from = ++this.at;
    while (this.at < this.bytes.length && this.bytes[this.at] !== 0x3e) this.at++;
    const text = this.bytes.toString("latin1", from, this.at).replace(/[\0\t\n\f\r ]/g, "");
    if (!/^[0-9A-Fa-f]*$/.test(text) || this.at++ >= this.bytes.length) throw new Odd("a string in hex");
    return `(${Buffer.from(text.length % 2 === 0 ? text : `${text}0`, "hex").toString("latin1")}`;
  }

  private array(depth: number): Value[] {
    const items: Value[] = [];
    this.at++;
    for (;;) {
      this.skipSpace();
      if (this.bytes[this.at] === 0x5d) break;
      items.push(this.value(depth + 1));
    }
    this.at++;
    return items;
  }

  private dict(depth: number): Dict {
    const entries = new Map<string, Value>();
    this.at += 2;
    for (;;) {
      this.skipSpace();
      if (this.bytes[this.at] === 0x3e && this.bytes[this.at + 1] === 0x3e) break;
      if (this.bytes[this.at] !== 0x2f) throw new Odd("a key that is no name");
      const key = this.name();
      if (entries.has(key)) throw new Odd("a key that occurs twice");
      entries.set(key, this.value(depth + 1));
    }
    this.at += 2;
    return entries;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

// The pattern also matches the end of a line, which is a line feed however it is written.
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{1,3}|\r\n|[\s\S])|\r\n?/g, (whole, escaped: string | undefined) => {
    if (escaped === undefined) return "\n";
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 255);
    if (escaped === "\r" || escaped === "\n" || escaped === "\r\n") return "";
    return escapes[escaped] ?? whole.slice(1);
  });
}
