import { type TSchema, Type } from "typebox";
import { type IdKind, idPattern } from "../shared/ids.ts";
import { locales } from "../shared/locales.ts";

/** Shapes that several features use at the edge. */

export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s\\u0000-\\u001f\\u007f@<>,;:"()\\[\\]\\\\]{1,64}@[^\\s\\u0000-\\u001f\\u007f@<>,;:"()\\[\\]\\\\]{1,189}$',
});
/** What people call themselves or their company: one line, and not only blanks. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$",
});
/** One line that people read on a document: a field's name, a role. */
export const Label = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$",
});
export const LocaleName = Type.Enum([...locales]);
export const Timestamp = Type.String({ format: "date-time", description: "ISO 8601, UTC, milliseconds" });
export const OptionalTimestamp = nullable(Timestamp);

export function idOf(kind: IdKind) {
  return Type.String({ pattern: idPattern(kind) });
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

export function iso(at: Date): string {
  return at.toISOString();
}

export function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
