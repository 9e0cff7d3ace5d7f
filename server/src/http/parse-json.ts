// Three times as deep as any shape of ours.
export const MAX_NESTING = 32;
export const TOO_DEEP = `must be nested at most ${MAX_NESTING} levels deep`;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether brackets and braces, outside of strings, are open within each other more often than `limit` says. To be asked before JSON is
 * parsed: the parser has no limit, and takes seconds over a mebibyte of opening brackets. Whether the bytes are JSON at all is for the
 * parser to say.
 */
export class Nesting {
  readonly #limit: number;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(limit = MAX_NESTING) {
    this.#limit = limit;
  }

  /** Takes the next bytes, in UTF-8; true once they are nested too deeply. */
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
          break;
        case 0x5d: // ]
        case 0x7d: // }
          this.#depth--;
      }
    }
    return false;
  }
}

/** The same of a text that is there whole. */
export function isNestedTooDeeply(text: string, limit = MAX_NESTING): boolean {
  return new Nesting(limit).exceeds(Buffer.from(text));
}
