import { fieldTypes } from "@countersign/fields";
import { type AnchorPlacement, type Area, clipArea, type PlacedAnchor, type TagField } from "@countersign/pdf/pool";
import type { Warning } from "../documents/warnings.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { undrawableValue } from "../signing/builtin/value-fit.ts";
import { type Field, type FieldSettings, isShown, typesWithDefault } from "../signing/field.ts";
import type { KeptField, NewField } from "./field-shapes.ts";
import { MAX_FIELDS, type Placed } from "./template.ts";

/** Where the request has its fields: `fields` of a JSON body, or `fields_json` of a form. */
export interface Place {
  readonly location: "body" | "form";
  readonly list: string;
}

export const IN_BODY: Place = { location: "body", list: "fields" };
export const IN_FORM: Place = { location: "form", list: "fields_json" };

/** A kept field in its final form. Only its areas, if the request has some, still have to be cut to their pages. */
export interface Staying<F> {
  readonly keep: KeptField["keep"];
  readonly role: string | null;
  readonly field: F;
  readonly areas?: readonly Area[] | undefined;
}

/** What is known about a field before the field that it keeps is read. */
export type Named = NewField | { readonly keep: KeptField["keep"]; readonly role?: string | null | undefined };

const placementOf = (field: Named): NewField["placement"] | null => (field.keep === undefined ? field.placement : null);

/** The anchors to search for in the PDF, in the order of their fields. */
export function anchorsOf(wanted: readonly Named[]): AnchorPlacement[] {
  return wanted.flatMap((field) => {
    const placement = placementOf(field);
    if (placement?.mode !== "anchor") return [];
    const { anchor_text, occurrence = 1, page, offset_x = 0, offset_y = 0, w, h } = placement;
    return [{ anchor_text, occurrence, ...(page !== undefined && { page }), place: { offset_x, offset_y, w, h } }];
  });
}

/** The index among all fields of the nth field with an anchor. */
export function fieldOfAnchor(wanted: readonly Named[], nth: number): number {
  const anchored = wanted.flatMap((field, index) => (placementOf(field)?.mode === "anchor" ? [index] : []));
  return anchored[nth] ?? -1;
}

// Each anchor is a search through the whole text of the document.
export const MAX_ANCHORS = 500;

type Present = Pick<Field, "role" | "field_key">;

/** Checks everything that does not require the document. Reports all mistakes at once. */
export function refuseMistakes(wanted: readonly Named[], place: Place, present: readonly Present[] = []): void {
  const details = [
    ...missingRoles(wanted, place),
    ...keyMistakes(wanted, place, present),
    ...settingMistakes(wanted, place),
    ...defaultMistakes(wanted, place),
    ...roleMistakes(wanted, place, present),
  ];
  if (wanted.length + present.length > MAX_FIELDS) {
    details.push({ location: place.location, field: place.list, code: "too_long", message: `must have at most ${MAX_FIELDS} fields` });
  }
  if (anchorsOf(wanted).length > MAX_ANCHORS) {
    details.push({
      location: place.location,
      field: place.list,
      code: "too_long",
      message: `must have at most ${MAX_ANCHORS} fields with anchors`,
    });
  }
  if (details.length > 0) throw new Problem("invalid_request", "fields", { details });
}

/** A label belongs to no signer; every other field does. */
function* missingRoles(wanted: readonly Named[], { location, list }: Place): Generator<Detail> {
  for (const [index, asked] of wanted.entries()) {
    if (asked.keep !== undefined) continue;
    const field = `${list}[${index}].role`;
    if (isShown(asked) && asked.role !== undefined) yield { location, field, code: "invalid_value", message: "is not allowed for a label" };
    if (!isShown(asked) && asked.role === undefined) yield { location, field, code: "required", message: "is required" };
  }
}

/** A key names one field of a document. */
function* keyMistakes(wanted: readonly Named[], { location, list }: Place, present: readonly Present[]): Generator<Detail> {
  const seen = new Set<string | null>(present.map(({ field_key }) => field_key));
  for (const [index, asked] of wanted.entries()) {
    const key = asked.keep === undefined ? asked.field_key : undefined;
    if (key === undefined) continue;
    if (seen.has(key)) yield { location, field: `${list}[${index}].field_key`, code: "duplicate", message: "names another field already" };
    seen.add(key);
  }
}

function* settingMistakes(wanted: readonly Named[], { location, list }: Place): Generator<Detail> {
  for (const [index, asked] of wanted.entries()) {
    if (asked.keep !== undefined) continue;
    const read = readSettings(asked);
    if ("options" in read) continue;
    for (const { setting, message } of read) {
      const member = setting === "options" ? setting : `settings.${setting}`;
      yield { location, field: `${list}[${index}].${member}`, code: "invalid_value", message };
    }
  }
}

const readSettings = ({ type, options, settings }: Pick<NewField, "type" | "options" | "settings">) =>
  fieldTypes[type].settings({ ...settings, options }, "request");

/** The settings and options of a new field that has passed the checks. */
function settingsOf(field: NewField): { readonly options: readonly string[] | null; readonly settings: FieldSettings } {
  const read = readSettings(field);
  if (!("options" in read)) throw new Error("the settings of a field were not checked");
  const { options, ...settings } = read;
  return { options, settings };
}

function* defaultMistakes(wanted: readonly Named[], { location, list }: Place): Generator<Detail> {
  for (const [index, asked] of wanted.entries()) {
    if (asked.keep !== undefined) continue;
    const { type, default_value } = asked;
    if (default_value === undefined || default_value === null) continue;
    const own = fieldTypes[type];
    const notTaken = { code: "invalid_value", message: `is allowed only for ${typesWithDefault} fields` } as const;
    const settings = readSettings(asked);
    // Settings that are wrong are reported already.
    if (!("options" in settings)) continue;
    const fault =
      own.requestDefault === undefined ? notTaken : (own.requestDefault(settings, default_value) ?? undrawableFault(type, default_value));
    if (fault !== null) yield { location, field: `${list}[${index}].default_value`, ...fault };
  }
}

function undrawableFault(type: Field["type"], value: string): Pick<Detail, "code" | "message"> | null {
  const message = undrawableValue(type, value);
  return message === null ? null : { code: "invalid_value", message };
}

/** Roles such as "Buyer" and "buyer" are easily mixed up, and one of them would have no signer. */
function* roleMistakes(wanted: readonly Named[], { location, list }: Place, present: readonly Pick<Field, "role">[]): Generator<Detail> {
  const spelled = new Map(present.map(({ role }) => [role.trim().toLowerCase(), role]));
  for (const [index, { role }] of wanted.entries()) {
    if (role === undefined || role === null) continue;
    const known = spelled.get(role.trim().toLowerCase());
    if (known === undefined) spelled.set(role.trim().toLowerCase(), role);
    else if (known !== role)
      yield { location, field: `${list}[${index}].role`, code: "conflict", message: `differs from "${known}" only in case or spacing` };
  }
}

/**
 * The fields with their areas: absolute areas are cut to the page, and anchored fields get the areas that the engine found. A kept field
 * keeps its areas and its anchor, unless the request has other areas.
 */
export function resolveFields<F extends Pick<Field, "areas" | "anchor_match"> = never>(
  wanted: readonly (NewField | Staying<F>)[],
  anchors: readonly PlacedAnchor[],
  pages: number,
  place: Place,
): Placed<Field | F> {
  const cut = areaCutter(pages, place);
  const found = anchors[Symbol.iterator]();
  const fields = wanted.map((one, index): Field | F => {
    const label = `${place.list}[${index}]`;
    if (one.keep !== undefined) {
      return one.areas === undefined ? one.field : { ...one.field, areas: cut.areas(one.areas, `${label}.areas`), anchor_match: null };
    }
    const { name, type, role = "", required = false, default_value = null, field_key = null, placement } = one;
    const { options, settings } = settingsOf(one);
    const readonly = isShown(one) || settings.sender_fills === true;
    const common = { name, type, role, required, readonly, default_value, options, settings, field_key };
    if (placement.mode === "anchor") {
      const anchor = found.next().value as PlacedAnchor;
      if (anchor.area_clipped) cut.clipped.push(label);
      return { ...common, areas: [anchor.area], anchor_match: anchor.match };
    }
    return { ...common, areas: cut.areas(placement.areas, `${label}.placement.areas`), anchor_match: null };
  });
  if (cut.details.length > 0) throw new Problem("invalid_request", "areas", { details: cut.details });
  return { fields, warnings: clipWarnings(cut.clipped) };
}

/** Cuts areas to their pages, and collects those that were cut and those outside all pages. */
function areaCutter(pages: number, { location }: Place) {
  const details: Detail[] = [];
  const clipped: string[] = [];
  const areas = (given: readonly Area[], list: string): Area[] =>
    given.flatMap(({ page, x, y, w, h }, nth) => {
      const field = `${list}[${nth}]`;
      const cut = clipArea({ page, x, y, w, h });
      if (page > pages) {
        details.push({
          location,
          field: `${field}.page`,
          code: "out_of_range",
          message: `the document has ${pages === 1 ? "one page" : `${pages} pages`}`,
        });
      } else if (cut === null) details.push({ location, field, code: "out_of_range", message: "is outside the page" });
      if (cut?.clipped) clipped.push(field);
      return cut === null ? [] : [cut.area];
    });
  return { areas, details, clipped };
}

/** The fields of the document's own tags. */
export function fieldsOfTags(tags: readonly TagField[]): Placed {
  const fields = tags.map(
    (tag): Field => ({
      name: tag.name,
      type: tag.type,
      role: tag.role,
      required: tag.required,
      readonly: tag.readonly,
      default_value: tag.default,
      options: tag.options.length === 0 ? null : tag.options,
      settings: {},
      field_key: null,
      areas: [tag.area],
      anchor_match: null,
    }),
  );
  return { fields, warnings: clipWarnings(tags.filter((tag) => tag.area_clipped).map((tag) => `"${tag.name}"`)) };
}

// Enough to recognize a repeated mistake.
const MAX_NAMED = 20;

function clipWarnings(places: readonly string[]): Warning[] {
  if (places.length === 0) return [];
  const named = places.slice(0, MAX_NAMED).join(", ") + (places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more` : "");
  return [{ code: "area_clipped", message: `Extends beyond the page and was cropped: ${named}` }];
}
