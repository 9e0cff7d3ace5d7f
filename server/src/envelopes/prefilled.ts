import { type Detail, Problem } from "../shared/problems.ts";
import { type Field, isDate } from "../signing/field.ts";

/** What a sender may fill in for the signers, and what a field of each type can hold. */

const MAX_TEXT = 2_000;

/** The values as they are kept, by field name. Throws 422 with every name that no field has and every value that its field cannot hold. */
export function readPrefilled(
  given: Readonly<Record<string, unknown>>,
  fields: readonly Pick<Field, "name" | "type" | "options">[],
): Record<string, string> {
  const details: Detail[] = [];
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const named = fields.filter((field) => field.name === name);
    const place = { location: "body", field: `prefilled_data.${name}` } as const;
    if (named.length === 0) details.push({ ...place, code: "unknown_field", message: "is no field of the document" });
    for (const field of named) {
      const held = heldBy(field, value);
      if (held === null) details.push({ ...place, code: "invalid_value", message: mustBe(field) });
      else values[name] = held;
    }
  }
  if (details.length > 0) throw new Problem("invalid_request", "prefilled_data", { details });
  return values;
}

/** The value as text, or null if a field of this type cannot hold it. */
function heldBy({ type, options }: Pick<Field, "type" | "options">, value: unknown): string | null {
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

function mustBe({ type, options }: Pick<Field, "type" | "options">): string {
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
