import { isDeepStrictEqual } from "node:util";
import { type Fault, fieldTypes, type SettingFault, type Settings } from "@countersign/fields";
import { type Detail, Problem } from "../shared/problems.ts";
import { undrawableValue } from "../signing/builtin/value-fit.ts";
import { type Field, isShown } from "../signing/field.ts";
import { heldBy } from "../signing/field-value.ts";
import type { GivenField, KeptField, NewField, WantedField } from "./field-shapes.ts";
import { faultsOf, type Place, type Staying } from "./resolve-fields.ts";

/**
 * Fields that stay when others are replaced: docs/decisions/0032-kept-fields.md. A caller names them by their current position and name,
 * so a list that has changed in the meantime is refused instead of mixed up.
 */

type Present = Omit<Field, "role"> & { readonly role: string | null };

const isKept = (field: WantedField): field is KeptField => field.keep !== undefined;

const NEEDED = ["name", "type", "role", "placement"] as const;

/** The fields of a PUT. Throws 422 for a new field that is incomplete and for a field that is kept twice. */
export function asWanted(given: readonly GivenField[], place: Place): readonly WantedField[] {
  const details = [...missingParts(given, place), ...keptTwice(given, place)];
  if (details.length > 0) throw new Problem("invalid_request", "fields", { details });
  return given.map(({ role, options, ...field }) => ({ ...field, ...(role && { role }), ...(options && { options }) }) as WantedField);
}

function* missingParts(given: readonly GivenField[], { location, list }: Place): Generator<Detail> {
  for (const [index, field] of given.entries()) {
    if (field.keep !== undefined) continue;
    for (const part of NEEDED) {
      // A label has no role.
      if (part === "role" && field.type === "label") continue;
      if (field[part] == null) yield { location, field: `${list}[${index}].${part}`, code: "required", message: "is required" };
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
    const refuse = (member: string, { code, message }: Pick<Detail, "code" | "message">) =>
      void details.push({ location: place.location, field: `${place.list}[${index}].${member}`, code, message });
    const read = settingsOf(field, before);
    for (const fault of faultsOf(before.type, read ?? [])) refuse(fault.field, fault);
    if (isShown(before)) for (const member of notOfLabel(field)) refuse(member, NOT_OF_LABEL);
    const set = read !== null && "options" in read ? lockedBy(read, before) : before;
    const held = defaultOf(field, { ...before, ...set });
    const isFault = held !== null && typeof held !== "string";
    if (isFault) refuse("default_value", { code: "invalid_value", message: held.message });
    const default_value = isFault ? null : held;
    const { keep, areas, name = before.name, role = before.role, required = before.required, field_key = before.field_key } = field;
    return { keep, areas, document: field.document, role, field: { ...before, ...set, name, role, required, field_key, default_value } };
  });
  if (details.length > 0) throw new Problem("invalid_request", "fields", { details });
  return kept;
}

const NOT_OF_LABEL = { code: "invalid_value", message: "is not allowed for a label" } as const;
const notOfLabel = ({ role, required }: KeptField): string[] => [
  ...(role === undefined ? [] : ["role"]),
  ...(required === true ? ["required"] : []),
];

/** Options and settings that the request gives replace those that are there. Null: it gives none. */
function settingsOf({ options, settings }: KeptField, before: Present): Settings | readonly SettingFault[] | null {
  if (options === undefined && settings === undefined) return null;
  const given = { ...(settings ?? before.settings), options: options ?? before.options ?? undefined };
  return fieldTypes[before.type].settings(given, "request");
}

/** The lock follows `sender_fills`. */
function lockedBy({ options, ...settings }: Settings, before: Present): Pick<Present, "options" | "settings" | "readonly"> {
  const isUnlocked = before.settings.sender_fills === true && settings.sender_fills !== true;
  return { options, settings, readonly: settings.sender_fills === true || (before.readonly && !isUnlocked) };
}

function refuseMoved(wanted: readonly WantedField[], present: readonly Present[], { location, list }: Place): void {
  const details = wanted.flatMap((field, index): Detail[] => {
    if (!isKept(field) || present[field.keep.position]?.name === field.keep.name) return [];
    return [{ location, field: `${list}[${index}].keep`, code: "conflict", message: "does not match the current field at this position" }];
  });
  if (details.length > 0) throw new Problem("fields_changed", `${details.length} fields`, { details });
}

/** A default that stays must be one that new settings allow. */
function defaultOf({ default_value, options, settings }: KeptField, before: Present): string | null | Fault {
  const isSame = default_value === undefined && options === undefined && settings === undefined;
  if (isSame) return before.default_value;
  const given = default_value === undefined ? before.default_value : default_value;
  const held = given === null ? null : heldBy(before, given);
  const undrawable = typeof held === "string" ? undrawableValue(before.type, held) : null;
  return undrawable === null ? held : { code: "invalid_value", message: undrawable };
}

/** Another request may have placed fields between reading and writing. */
export function refuseChanged(wanted: readonly WantedField[], seen: readonly Present[], now: readonly Present[]): void {
  if (wanted.some(isKept) && !isDeepStrictEqual(seen, now)) throw new Problem("fields_changed", "meanwhile");
}
