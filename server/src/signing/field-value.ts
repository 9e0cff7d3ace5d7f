import type { Field } from "./field.ts";
import { isDate } from "./field.ts";

/** What a field of each type can hold. Values are kept as text; a tick is `true` or `false`. */

const MAX_TEXT = 2_000;

type Typed = Pick<Field, "type" | "options">;

/** Nothing that anybody would see. */
export const isBlank = (text: string): boolean => /^[\s\p{Cf}]*$/u.test(text);

// What is not seen, or turns round what is: a reader would see another text than the one that is signed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** The value as text, or null if a field of this type cannot hold it. */
export function heldBy({ type, options }: Typed, value: unknown): string | null {
  const text = typeof value === "string" ? value : typeof value === "number" && Number.isFinite(value) ? String(value) : null;
  switch (type) {
    case "text":
      return text !== null && text.length <= MAX_TEXT && !HIDDEN.test(text) ? text : null;
    case "number":
      return text !== null && /^[+-]?\d+([.,]\d+)?$/.test(text.trim()) ? text.trim() : null;
    case "date":
      return text !== null && isDate(text) ? text : null;
    case "checkbox":
      return value === true || value === "true" ? "true" : value === false || value === "false" ? "false" : null;
    case "select":
    case "radio":
      return text !== null && options?.includes(text) ? text : null;
    case "signature":
    case "initials":
      return null;
  }
}

/** What to say of a value that it cannot hold. */
export function mustBe({ type, options }: Typed): string {
  switch (type) {
    case "text":
      return `must be text of at most ${MAX_TEXT} characters, without control characters`;
    case "number":
      return "must be a number";
    case "date":
      return "must be a date, YYYY-MM-DD";
    case "checkbox":
      return "must be true or false";
    case "select":
    case "radio":
      return `must be one of: ${(options ?? []).join(", ")}`;
    case "signature":
    case "initials":
      return "is for the signer alone";
  }
}
