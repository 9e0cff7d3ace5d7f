import { isDeepStrictEqual } from "node:util";
import { type Fault, fieldTypes, type SettingFault } from "@countersign/fields";
import { type Detail, Problem } from "../shared/problems.ts";
import { undrawableValue } from "../signing/builtin/value-fit.ts";
import type { Field } from "../signing/field.ts";
import { heldBy } from "../signing/field-value.ts";
import type { GivenField, KeptField, NewField, WantedField } from "./field-shapes.ts";
import type { Place, Staying } from "./resolve-fields.ts";

/**
 * Fields that stay when others are replaced: docs/decisions/0032-kept-fields.md. A caller names them by their current position and name,
 * so a list that has changed in the meantime is refused instead of mixed up.
 */

type Present = Omit<Field, "role"> & { readonly role: string | null };

const isKept = (field: Pick<GivenField, "keep">): field is KeptField => field.keep !== undefined;

const NEEDED = ["name", "type", "role", "placement"] as const;

/** The fields of a PUT. Throws 422 for a new field that is incomplete and for a field that is kept twice. */
export function asWanted(given: readonly GivenField[], place: Place): readonly WantedField[] {
  const details = [...missingParts(given, place), ...keptTwice(given, place)];
  if (details.length > 0) throw new Problem("invalid_request", "fields", { details });
  return given as readonly WantedField[];
}

function* missingParts(given: readonly GivenField[], { location, list }: Place): Generator<Detail> {
  for (const [index, field] of given.entries()) {
    if (isKept(field)) continue;
    for (const part of NEEDED) {
      // A label has no role.
      if (part === "role" && field.type === "label") continue;
      if (field[part] === undefined) yield { location, field: `${list}[${index}].${part}`, code: "required", message: "is required" };
    }
  }
}

function* keptTwice(given: readonly GivenField[], { location, list }: Place): Generator<Detail> {
  const seen = new Set<number>();
  for (const [index, { keep }] of given.entries()) {
    if (keep === undefined) continue;
    if (seen.has(keep.position)) {
      yield { location, field: `${list}[${index}].keep.position`, code: "duplicate", message: "must not be kept more than once" };
    }
    seen.add(keep.position);
  }
}

/** Replaces references to kept fields with the existing fields. Throws 409 when one is not where the caller saw it. */
export function keepFields<F extends Present>(
  wanted: readonly WantedField[],
  present: readonly F[],
  place: Place,
): readonly (NewField | Staying<F>)[] {
  refuseMoved(wanted, present, place);
  const details: Detail[] = [];
  const kept = wanted.map((field, index) => {
    if (!isKept(field)) return field;
    const before = present[field.keep.position] as F;
    const set = settingsOf(field, before);
    if (Array.isArray(set)) {
      for (const { setting, message } of set) {
        const member = setting === "options" ? setting : `settings.${setting}`;
        details.push({ location: place.location, field: `${place.list}[${index}].${member}`, code: "invalid_value", message });
      }
      return { keep: field.keep, areas: field.areas, role: before.role, field: before };
    }
    const held = defaultOf(field, { ...before, ...set });
    const isFault = held !== null && typeof held !== "string";
    if (isFault) {
      const named = `${place.list}[${index}].default_value`;
      details.push({ location: place.location, field: named, code: "invalid_value", message: held.message });
    }
    const default_value = isFault ? null : held;
    const { keep, areas, name = before.name, role = before.role, required = before.required } = field;
    return { keep, areas, role, field: { ...before, ...set, name, role, required, default_value } };
  });
  if (details.length > 0) throw new Problem("invalid_request", "fields", { details });
  return kept;
}

/** Options and settings that the request gives replace those that are there; the lock follows `sender_fills`. */
function settingsOf(
  { options, settings }: KeptField,
  before: Present,
): Pick<Present, "options" | "settings" | "readonly"> | readonly SettingFault[] {
  if (options === undefined && settings === undefined) return before;
  const given = { ...(settings ?? before.settings), options: options ?? before.options ?? undefined };
  const read = fieldTypes[before.type].settings(given, "request");
  if (!("options" in read)) return read;
  const { options: kept, ...rest } = read;
  const isUnlocked = before.settings.sender_fills === true && rest.sender_fills !== true;
  return { options: kept, settings: rest, readonly: rest.sender_fills === true || (before.readonly && !isUnlocked) };
}

function refuseMoved(wanted: readonly WantedField[], present: readonly Present[], { location, list }: Place): void {
  const details = wanted.flatMap((field, index): Detail[] => {
    if (!isKept(field) || present[field.keep.position]?.name === field.keep.name) return [];
    return [{ location, field: `${list}[${index}].keep`, code: "conflict", message: "does not match the current field at this position" }];
  });
  if (details.length > 0) throw new Problem("fields_changed", `${details.length} fields`, { details });
}

function defaultOf({ default_value }: KeptField, before: Present): string | null | Fault {
  if (default_value === undefined) return before.default_value;
  const held = default_value === null ? null : heldBy(before, default_value);
  const undrawable = typeof held === "string" ? undrawableValue(before.type, held) : null;
  return undrawable === null ? held : { code: "invalid_value", message: undrawable };
}

/** Another request may have placed fields between reading and writing. */
export function refuseChanged(wanted: readonly WantedField[], seen: readonly Present[], now: readonly Present[]): void {
  if (wanted.some(isKept) && !isDeepStrictEqual(seen, now)) throw new Problem("fields_changed", "meanwhile");
}
