import { type Detail, Problem } from "../shared/problems.ts";
import { undrawableValue } from "../signing/builtin/value-fit.ts";
import type { Field } from "../signing/field.ts";
import { heldBy } from "../signing/field-value.ts";
import { keyFields } from "../templates/key-fields.ts";

/** Values that a sender can fill in for the signers. */

/** What is stored for the nth field, if it still has this name. */
export interface Prefilled {
  readonly nth: number;
  readonly name: string;
  /** null: what was filled in is taken away */
  readonly value: string | null;
}

type Fillable = Pick<Field, "name" | "type" | "options" | "settings">;

/** The values to store: one for each field with that name, in the form in which the field holds it. Throws 422 with every name that no field has and every value that its field cannot hold. */
export function readPrefilled(given: Readonly<Record<string, unknown>>, fields: readonly Fillable[]): Prefilled[] {
  return readBy(given, fields, (field, name) => field.name === name);
}

/** The same for values by the key of the field, which names one field alone. */
export function readKeyed<F extends Fillable & Pick<Field, "field_key">>(
  given: Readonly<Record<string, string>>,
  fields: readonly F[],
): Prefilled[] {
  return readBy(given, keyFields(fields, []), (field, key) => field.field_key === key);
}

function readBy<F extends Fillable>(
  given: Readonly<Record<string, unknown>>,
  fields: readonly F[],
  isMeant: (field: F, name: string) => boolean,
): Prefilled[] {
  const details: Detail[] = [];
  const values: Prefilled[] = [];
  for (const [name, value] of Object.entries(given)) {
    const meant = fields.flatMap((field, nth) => (isMeant(field, name) ? [{ field, nth }] : []));
    const place = { location: "body", field: `prefilled_data.${name}` } as const;
    if (meant.length === 0) details.push({ ...place, code: "unknown_field", message: "is not a field of the document" });
    for (const { field, nth } of meant) {
      if (value === null) {
        values.push({ nth, name: field.name, value });
        continue;
      }
      const held = heldBy(field, value);
      const fault = typeof held === "string" ? undrawableValue(field.type, held) : held.message;
      if (typeof held === "string" && fault === null) values.push({ nth, name: field.name, value: held });
      else details.push({ ...place, code: "invalid_value", message: fault ?? "" });
    }
  }
  if (details.length > 0) throw new Problem("invalid_request", "prefilled_data", { details });
  return values;
}
