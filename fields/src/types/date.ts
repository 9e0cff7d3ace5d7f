import type { Fault, FieldType } from "../field-type.ts";
import { asText, noSettings, refused, tight } from "../parts.ts";

const MUST_BE: Fault = { code: "invalid_format", message: "must be a date in the form YYYY-MM-DD" };

/** A day of the calendar. Converting there and back refuses 30 February, which the parser would move to March. */
function isDate(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

export const date: FieldType = {
  type: "date",
  from: ["request", "tag"],
  draw: "text",
  control: "date",
  size_pt: [100, 22],
  required: false,
  settings: noSettings,
  held(_, value) {
    const given = asText(value);
    return given !== null && isDate(given) ? given : MUST_BE;
  },
  tagDefault: (_, written) => (isDate(tight(written)) ? tight(written) : refused(`"${written}" is not a date like 2026-01-31`)),
  requestDefault: (value) => (isDate(value) ? null : MUST_BE),
};
