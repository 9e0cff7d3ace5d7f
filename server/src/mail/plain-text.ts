import { withoutDirections } from "../shared/without-directions.ts";

/** Names and messages are untrusted text. They must not start a header, hide text or change the direction of the text around them. */

/** Makes one line of the text and shortens it with an ellipsis. Control characters and line separators become spaces. */
export function oneLine(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const line = withoutDirections(text.toWellFormed())
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return cut(line, maxCharacters);
}

/** Cleans text that can have several lines. */
export function manyLines(text: string, maxCharacters: number): string {
  const lines = withoutDirections(text.toWellFormed())
    .replace(/\r\n?|\p{Zl}|\p{Zp}/gu, "\n")
    .split("\n")
    .map((line) => line.replace(/\p{Cc}+/gu, " ").trimEnd());
  return cut(
    lines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
    maxCharacters,
  );
}

/** Cuts by code point, so that no surrogate pair is split. */
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
