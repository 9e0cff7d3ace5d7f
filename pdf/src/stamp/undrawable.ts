// What has no font, in words: said where a text is typed or given, so that a document never shows U+FFFD.

import type { Fonts } from "./fonts.ts";
import { shape } from "./shape.ts";

const MAX_NAMED = 5;

/**
 * Names the characters of a text that cannot be drawn; null if there are none. The sentence follows the name of a field.
 * @example undrawableIn("Ann 😀", fonts) // "contains characters that cannot be drawn in the document: 😀 (U+1F600)"
 */
export function undrawableIn(text: string, fonts: Fonts): string | null {
  const { missing } = shape(text, fonts);
  if (missing.length === 0) return null;
  const named = missing.slice(0, MAX_NAMED).map(nameOf).join(", ");
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : "";
  return `contains characters that cannot be drawn in the document: ${named}${more}`;
}

// With the code, because the reader's device may lack the character too. A mark alone would combine with the text before it.
function nameOf(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `${character} (${code})` : code;
}
