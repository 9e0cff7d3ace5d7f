import { type TSchema, Type } from "typebox";
import { type IdKind, idPattern } from "../shared/ids.ts";
import { locales } from "../shared/locales.ts";

/** Shapes that several features use at the edge. */

export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s\\u0000-\\u001f\\u007f@<>,;:"()\\[\\]\\\\]{1,64}@[^\\s\\u0000-\\u001f\\u007f@<>,;:"()\\[\\]\\\\]{1,189}$',
});
/**
 * One line with more than blanks on it: blanks, then a character that is none, then anything but control characters. No character fits two
 * neighbouring parts, so there is one way to read a text, and a text that does not fit costs its length.
 */
const LINE = "^[^\\S\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$";
/** What people call themselves or their company. */
export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: LINE });
/** What people read on a document: a field's name, a role. */
export const Label = Type.String({ minLength: 1, maxLength: 100, pattern: LINE });
/** Bytes, in the alphabet of RFC 4648, 4. A format and not a pattern: it may be as long as a body, and is read in a millisecond. */
export const Base64 = Type.String({ format: "base64", contentEncoding: "base64" });
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
