import type { Field } from "./field.ts";
import { isDate } from "./field.ts";

/** What a field of each type can hold. Values are kept as text; a tick is `true` or `false`. */

const MAX_TEXT = 2_000;

type Typed = Pick<Field, "type" | "options">;

/** The value as text, or null if a field of this type cannot hold it. */
export function heldBy({ type, options }: Typed, value: unknown): string | null {
  const text = typeof value === "string" ? value : typeof value === "number" && Number.isFinite(value) ? String(value) : null;
  switch (type) {
    case "text":
      return text !== null && text.length <= MAX_TEXT ? text : null;
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
      return `must be text of at most ${MAX_TEXT} characters`;
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
