import type { Field } from "../signing/field.ts";
import { isFilledAtSigning, isMark, rolesOf } from "../signing/field.ts";
import { keyFields } from "../templates/key-fields.ts";
import type { FileProblem } from "./batch.ts";

/** What a column of the file is for. */
export type Column =
  | { readonly kind: "envelope_name" | "external_id" | "tags" | "message" | "ignored" }
  | { readonly kind: "person"; readonly role: string; readonly part: "name" | "email" | "locale" }
  | { readonly kind: "field"; readonly key: string; readonly field: Field };

export interface NamedColumn {
  readonly name: string;
  readonly column: Column;
}

// The role of the signer if the document has no roles, as for a single envelope.
const ONLY_ROLE = "Signer";

/** The roles of the people in each row, in the order in which they sign. */
export function peopleOf(fields: readonly Field[]): string[] {
  const roles = rolesOf(fields);
  return roles.length === 0 ? [ONLY_ROLE] : roles;
}

/** Every column that a file for this template can have, in the order of the example file. */
export function columnsFor(fields: readonly Field[]): NamedColumn[] {
  const people = peopleOf(fields).flatMap((role) =>
    (["name", "email", "locale"] as const).map((part) => ({ name: `${role}.${part}`, column: { kind: "person" as const, role, part } })),
  );
  const values = keyFields(fields, []).flatMap((field): NamedColumn[] => {
    const key = field.field_key ?? "";
    return isMark(field) || isFilledAtSigning(field) ? [] : [{ name: `field.${key}`, column: { kind: "field", key, field } }];
  });
  return [
    { name: "envelope_name", column: { kind: "envelope_name" } },
    { name: "external_id", column: { kind: "external_id" } },
    ...people,
    ...values,
    { name: "tags", column: { kind: "tags" } },
    { name: "message", column: { kind: "message" } },
  ];
}

// Written by the file of rows with errors, which is corrected and uploaded again.
const IGNORED: NamedColumn = { name: "errors", column: { kind: "ignored" } };

// Names are part of the response, so they are shortened.
const MAX_SHOWN_NAME_LENGTH = 100;

const keyOf = (name: string): string => name.trim().toLowerCase();

/** The columns of a file by its first row, and everything that is wrong with them. Names are compared without regard to case. */
export function readHeader(cells: readonly string[], fields: readonly Field[]): { columns: Column[]; problems: FileProblem[] } {
  const known = [...columnsFor(fields), IGNORED];
  const problems: FileProblem[] = [];
  const problem = (column: string | null, message: string) =>
    problems.push({ column: column?.slice(0, MAX_SHOWN_NAME_LENGTH) ?? null, message });
  if (cells.length === 1 && cells[0]?.includes("\t")) {
    problem(null, "The columns are separated by tabs. Save the file as CSV, with commas or semicolons");
    return { columns: [], problems };
  }
  const seen = new Set<string>();
  const columns = cells.map((cell, index): Column => {
    const key = keyOf(cell);
    const found = known.find(({ name }) => keyOf(name) === key);
    if (key === "") problem(`column ${index + 1}`, "has no name");
    else if (seen.has(key)) problem(cell, "appears twice");
    else if (found === undefined) problem(cell, unknownColumn(key, fields));
    seen.add(key);
    return found?.column ?? IGNORED.column;
  });
  for (const { name, column } of known) {
    if (column.kind === "person" && column.part !== "locale" && !seen.has(keyOf(name))) problem(name, "is missing");
  }
  return { columns, problems };
}

function unknownColumn(key: string, fields: readonly Field[]): string {
  const ofSigner = keyFields(fields, []).some((field) => `field.${field.field_key}` === key);
  return ofSigner ? "is filled in by the signer and cannot be in the file" : "is not a column for this template";
}
