// Three times as deep as any shape of ours.
export const MAX_NESTING = 32;
export const TOO_DEEP = `must be nested at most ${MAX_NESTING} levels deep`;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether brackets and braces, outside of strings, are open within each other more than `limit` times. To be asked before the text is parsed:
 * the parser has no limit, and takes seconds over a mebibyte of opening brackets. Whether the text is JSON at all is for the parser to say.
 */
export function isNestedTooDeeply(text: string, limit = MAX_NESTING): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === QUOTE) inString = false;
      else if (unit === BACKSLASH) at++;
      continue;
    }
    switch (unit) {
      case QUOTE:
        inString = true;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > limit) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
  }
  return false;
}
