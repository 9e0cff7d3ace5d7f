// Whatever is hashed and signed must have exactly one spelling; otherwise one record could have two hashes. This is RFC 8785 (JCS)
// without fractions: integers within ±(2^53−1) read the same in every language.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

// Deep enough for any of our records. A cycle or a hostile file ends here and does not overflow the stack.
const MAX_DEPTH = 64;

// With the `u` flag only a lone surrogate matches; UTF-8 cannot encode it.
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The value or text has no canonical form. `path` is a JSON Pointer (RFC 6901), "" for the whole value. The message quotes no value. */
export class NotCanonical extends Error {
  override readonly name = "NotCanonical";
  readonly path: string;

  constructor(steps: readonly string[], reason: string) {
    const path = steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
    super(path === "" ? reason : `${path}: ${reason}`);
    this.path = path;
  }
}

/**
 * Returns the canonical text of a value; its UTF-8 bytes are what is hashed. Throws NotCanonical for anything that JSON would drop, round
 * or rewrite: `undefined`, fractions, dates, instances, lone surrogates.
 * @example canonicalize({ b: 1, a: "é" }) // {"a":"é","b":1}
 */
export function canonicalize(value: unknown): string {
  return write(value, []);
}

/**
 * Parses a canonical text. Throws NotCanonical for any other spelling: white space, key order, duplicate keys, escapes, `1.0`, `-0`.
 * Decode bytes first with a *fatal* UTF-8 decoder that keeps a byte order mark; a lenient decoder would change them.
 * @example parseCanonical('{"a":1}') // { a: 1 }
 */
export function parseCanonical(text: string): Json {
  const value = parse(text);
  if (canonicalize(value) !== text) throw new NotCanonical([], "JSON, but not spelled canonically");
  return value;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The parser's message quotes the text, which may be personal data, so it is not passed on.
    throw new NotCanonical([], "not JSON");
  }
}

function write(value: unknown, steps: string[]): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return writeString(value, steps);
  if (typeof value === "number") return writeInteger(value, steps);
  if (typeof value !== "object") throw new NotCanonical(steps, `${typeof value} is not JSON`);
  if (steps.length >= MAX_DEPTH) throw new NotCanonical(steps, `nested deeper than ${MAX_DEPTH}, or in a cycle`);
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) return writeArray(value as unknown[], steps);
  if (prototype === Object.prototype || prototype === null) return writeObject(value as Record<string, unknown>, steps);
  throw new NotCanonical(steps, "neither a plain object nor an array");
}

// ECMAScript's escapes of a well-formed string are the ones RFC 8785 (3.2.2.2) prescribes.
function writeString(value: string, steps: readonly string[]): string {
  if (LONE_SURROGATE.test(value)) throw new NotCanonical(steps, "lone surrogate");
  return JSON.stringify(value);
}

function writeInteger(value: number, steps: readonly string[]): string {
  if (!Number.isSafeInteger(value)) throw new NotCanonical(steps, "not an integer within ±(2^53−1)");
  return String(value); // -0 gives "0"
}

function writeArray(value: readonly unknown[], steps: string[]): string {
  assertNothingHidden(value, value.length + 1, steps); // "length" is itself a key
  return `[${value.map((item, index) => writeAt(String(index), item, steps)).join(",")}]`;
}

function writeObject(value: Readonly<Record<string, unknown>>, steps: string[]): string {
  const keys = Object.keys(value).sort(); // sort() compares UTF-16 code units, as RFC 8785 (3.2.3) asks
  assertNothingHidden(value, keys.length, steps);
  return `{${keys.map((key) => `${writeString(key, steps)}:${writeAt(key, value[key], steps)}`).join(",")}}`;
}

function writeAt(step: string, value: unknown, steps: string[]): string {
  steps.push(step);
  const text = write(value, steps);
  steps.pop();
  return text;
}

// Rejects what the text would silently drop: holes in arrays, symbols, keys that are not enumerable.
function assertNothingHidden(value: object, keyCount: number, steps: readonly string[]): void {
  if (Reflect.ownKeys(value).length !== keyCount) throw new NotCanonical(steps, "has holes or keys that JSON does not show");
}
