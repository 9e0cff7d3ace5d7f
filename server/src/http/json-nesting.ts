// Three times as deep as our deepest schema.
export const MAX_NESTING = 32;
const TOO_DEEP = `must be nested at most ${MAX_NESTING} levels deep`;
// More than ten times as many as our largest object has. The validator needs microseconds for each member, known or not.
const MAX_MEMBERS = 2_000;
const TOO_WIDE = `must have at most ${MAX_MEMBERS.toLocaleString("en")} members in an object`;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LIST = -1;

/**
 * Tells whether brackets and braces, outside of strings, are nested deeper than `limit`, or an object is very wide. To be asked before JSON
 * is parsed: the parser has no limit and takes seconds for a mebibyte of opening brackets. Whether the bytes are JSON at all is for the
 * parser to say.
 */
export class Nesting {
  readonly #limit: number;
  /** of each object that is open, by depth; LIST for a list */
  readonly #members: Int32Array;
  #depth = 0;
  #isTooWide = false;
  #inString = false;
  #escaped = false;

  constructor(limit = MAX_NESTING) {
    this.#limit = limit;
    this.#members = new Int32Array(limit + 1).fill(LIST);
  }

  /** An object had too many members; otherwise the nesting was too deep. */
  get fault(): string {
    return this.#isTooWide ? TOO_WIDE : TOO_DEEP;
  }

  /** Takes the next bytes in UTF-8. True once they are nested too deeply or an object has too many members. */
  exceeds(bytes: Uint8Array): boolean {
    // Locals: a mebibyte is walked on the thread that serves everyone, and private fields cost several times as much per byte.
    const limit = this.#limit;
    const members = this.#members;
    let [depth, inString, escaped] = [this.#depth, this.#inString, this.#escaped];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === QUOTE) inString = false;
        else if (byte === BACKSLASH) escaped = true;
        continue;
      }
      switch (byte) {
        case QUOTE:
          inString = true;
          break;
        case 0x5b: // [
          if (++depth > limit) return true;
          members[depth] = LIST;
          break;
        case 0x7b: // {
          if (++depth > limit) return true;
          members[depth] = 1;
          break;
        case 0x2c: // , which in an object is followed by one more member
          if ((members[depth] ?? LIST) === LIST) break;
          members[depth] = (members[depth] ?? 0) + 1;
          this.#isTooWide = (members[depth] ?? 0) > MAX_MEMBERS;
          if (this.#isTooWide) return true;
          break;
        case 0x5d: // ]
        case 0x7d: // }
          depth--;
      }
    }
    [this.#depth, this.#inString, this.#escaped] = [depth, inString, escaped];
    return false;
  }
}

/** The same check for a complete text. */
export function isNestedTooDeeply(text: string, limit = MAX_NESTING): boolean {
  return new Nesting(limit).exceeds(Buffer.from(text));
}
