// Three times as deep as any shape of ours.
export const MAX_NESTING = 32;
export const TOO_DEEP = `must be nested at most ${MAX_NESTING} levels deep`;
// No object of ours has a tenth of these; the validator takes microseconds for each, known or not.
export const MAX_MEMBERS = 2_000;
export const TOO_WIDE = `must have at most ${MAX_MEMBERS.toLocaleString("en")} members in an object`;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether brackets and braces, outside of strings, are open within each other more often than `limit` says, or an object is very wide. To be asked before JSON is
 * parsed: the parser has no limit, and takes seconds over a mebibyte of opening brackets. Whether the bytes are JSON at all is for the
 * parser to say.
 */
export class Nesting {
  readonly #limit: number;
  #depth = 0;
  /** of each object that is open; -1 for a list */
  readonly #members: number[] = [];
  #isTooWide = false;
  #inString = false;
  #escaped = false;

  constructor(limit = MAX_NESTING) {
    this.#limit = limit;
  }

  /** An object had too many members, rather than too much around it. */
  get fault(): string {
    return this.#isTooWide ? TOO_WIDE : TOO_DEEP;
  }

  /** Takes the next bytes, in UTF-8; true once they are nested too deeply, or an object has too many members. */
  exceeds(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === QUOTE) this.#inString = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        continue;
      }
      switch (byte) {
        case QUOTE:
          this.#inString = true;
          break;
        case 0x5b: // [
        case 0x7b: // {
          if (++this.#depth > this.#limit) return true;
          this.#members[this.#depth] = byte === 0x7b ? 1 : -1;
          break;
        case 0x2c: // ,
          this.#isTooWide = this.#isNextTooMany();
          if (this.#isTooWide) return true;
          break;
        case 0x5d: // ]
        case 0x7d: // }
          this.#depth--;
      }
    }
    return false;
  }

  /** Behind a comma: of an object, one more member. */
  #isNextTooMany(): boolean {
    const members = this.#members[this.#depth] ?? -1;
    if (members < 0) return false;
    this.#members[this.#depth] = members + 1;
    return members >= MAX_MEMBERS;
  }
}

/** The same of a text that is there whole. */
export function isNestedTooDeeply(text: string, limit = MAX_NESTING): boolean {
  return new Nesting(limit).exceeds(Buffer.from(text));
}
