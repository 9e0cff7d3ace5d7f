import type { Field } from "../signing/field.ts";
import { isFilledAtSigning, isMark, rolesOf } from "../signing/field.ts";
import { keyFields } from "../templates/key-fields.ts";
import { allRoles, type TemplateRole, wholeRole } from "../templates/role.ts";
import type { Template } from "../templates/template.ts";
import type { FileProblem } from "./batch.ts";

/** What a column of the file is for. */
export type Column =
  | { readonly kind: "envelope_name" | "external_id" | "tags" | "message" | "ignored" }
  | { readonly kind: "person"; readonly role: string; readonly part: "name" | "email" | "locale"; readonly isRequired: boolean }
  | { readonly kind: "field"; readonly key: string; readonly field: Field };

export interface NamedColumn {
  readonly name: string;
  readonly column: Column;
}

// The role of the signer if the document has no roles, as for a single envelope.
const ONLY_ROLE = "Signer";

/** What a file is for. */
export interface Source {
  readonly template: Pick<Template, "role_rows">;
  readonly fields: readonly Field[];
}

/**
 * The places of the people in each row, as the template has them. One that the rows cannot name, because it has neither a role nor a person,
 * stays empty.
 */
export function placesOf({ template, fields }: Source): TemplateRole[] {
  const places = allRoles(template.role_rows, rolesOf(fields)).filter(({ role, email }) => role !== null || email !== null);
  return places.some(({ kind }) => kind === "signer") ? places : [wholeRole({ kind: "signer", role: ONLY_ROLE }), ...places];
}

/** Every column that a file for this template can have, in the order of the example file. */
export function columnsFor(source: Source): NamedColumn[] {
  const people = placesOf(source).flatMap(({ role, email }) =>
    (["name", "email", "locale"] as const).flatMap((part): NamedColumn[] => {
      if (role === null) return [];
      return [{ name: `${role}.${part}`, column: { kind: "person", role, part, isRequired: part !== "locale" && email === null } }];
    }),
  );
  const values = keyFields(source.fields, []).flatMap((field): NamedColumn[] => {
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
export function readHeader(cells: readonly string[], source: Source): { columns: Column[]; problems: FileProblem[] } {
  const known = [...columnsFor(source), IGNORED];
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
    else if (found === undefined) problem(cell, unknownColumn(key, source.fields));
    seen.add(key);
    return found?.column ?? IGNORED.column;
  });
  for (const { name, column } of known) {
    if (column.kind === "person" && column.isRequired && !seen.has(keyOf(name))) problem(name, "is missing");
  }
  return { columns, problems };
}

function unknownColumn(key: string, fields: readonly Field[]): string {
  const ofSigner = keyFields(fields, []).some((field) => `field.${field.field_key}` === key);
  return ofSigner ? "is filled in by the signer and cannot be in the file" : "is not a column for this template";
}
