import type { EnvelopeFields } from "@countersign/client/types";

const SHOWN = 5;

/** The names of the fields that stay empty without these roles: those that no one else fills in and that have no value yet. */
export function emptyFields(fields: EnvelopeFields["fields"], isWithout: (role: string) => boolean): readonly string[] {
  return fields
    .filter(
      ({ type, role, readonly, default_value }) =>
        type !== "label" && !readonly && default_value === null && role !== null && isWithout(role),
    )
    .map(({ name }) => name);
}

/** The first names, and how many more there are. */
export const shortened = (names: readonly string[]): [readonly string[], number] => [
  names.slice(0, SHOWN),
  Math.max(0, names.length - SHOWN),
];
