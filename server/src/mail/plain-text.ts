/** Names and messages are other people's text: nothing in them may begin a header, hide, or turn the words around it about. */

// Marks, embeddings, overrides and isolates of direction: with one of them "gpj.exe" reads as "exe.jpg".
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** One line, cut with an ellipsis. Control characters and line separators become blanks. */
export function oneLine(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const line = text
    .toWellFormed()
    .replace(DIRECTIONS, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return cut(line, maxCharacters);
}

/** Text that may have lines of its own. */
export function manyLines(text: string, maxCharacters: number): string {
  const lines = text
    .toWellFormed()
    .replace(/\r\n?|\p{Zl}|\p{Zp}/gu, "\n")
    .split("\n")
    .map((line) =>
      line
        .replace(DIRECTIONS, "")
        .replace(/\p{Cc}+/gu, " ")
        .trimEnd(),
    );
  return cut(
    lines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
    maxCharacters,
  );
}

/** By code point, so that no emoji is left as half of itself. */
function cut(text: string, maxCharacters: number): string {
  const characters = Array.from(text);
  return characters.length <= maxCharacters
    ? text
    : `${characters
        .slice(0, maxCharacters - 1)
        .join("")
        .trimEnd()}…`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
