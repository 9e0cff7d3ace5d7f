import { type Fault, fieldTypes, type SettingFault, type Settings } from "@countersign/fields";
import { type AnchorPlacement, type Area, clipArea, type PlacedAnchor, type TagField } from "@countersign/pdf/pool";
import type { Warning } from "../documents/warnings.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { undrawableValue } from "../signing/builtin/value-fit.ts";
import { type Field, isShown, typesWithDefault } from "../signing/field.ts";
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
  /** only if the request moves it to another document */
  readonly document?: number | undefined;
}

/** What is known about a field before the field that it keeps is read. */
export type Named =
  | NewField
  | {
      readonly keep: KeptField["keep"];
      readonly role?: string | null | undefined;
      readonly field?: Pick<Field, "field_key" | "settings">;
    };

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

type Present = Pick<Field, "role" | "field_key" | "settings">;

/** Checks everything that does not require the document. Reports all mistakes at once. */
export function refuseMistakes(wanted: readonly Named[], place: Place, present: readonly Present[] = []): void {
  const details = [
    ...missingRoles(wanted, place),
    ...keyMistakes(wanted, place, present),
    ...settingMistakes(wanted, place),
    ...groupMistakes(wanted, place, present),
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

/** Whether every field names a document that is there. */
export function refuseUnknownDocuments(wanted: readonly { readonly document?: number | undefined }[], count: number, place: Place): void {
  const message = `there ${count === 1 ? "is one document" : `are ${count} documents`}`;
  const details = wanted.flatMap(({ document = 1 }, index): Detail[] =>
    document <= count ? [] : [{ location: place.location, field: `${place.list}[${index}].document`, code: "out_of_range", message }],
  );
  if (details.length > 0) throw new Problem("invalid_request", "documents", { details });
}

/** A label belongs to no signer and is never filled in by one; every other field belongs to a signer. */
function* missingRoles(wanted: readonly Named[], { location, list }: Place): Generator<Detail> {
  for (const [index, asked] of wanted.entries()) {
    if (asked.keep !== undefined) continue;
    const field = `${list}[${index}]`;
    const notOfLabel = { location, code: "invalid_value", message: "is not allowed for a label" } as const;
    if (isShown(asked) && asked.role !== undefined) yield { ...notOfLabel, field: `${field}.role` };
    if (isShown(asked) && asked.required === true) yield { ...notOfLabel, field: `${field}.required` };
    if (!isShown(asked) && asked.role === undefined) yield { location, field: `${field}.role`, code: "required", message: "is required" };
  }
}

/** A key names one field of a document. */
function* keyMistakes(wanted: readonly Named[], { location, list }: Place, present: readonly Present[]): Generator<Detail> {
  const keyOf = (asked: Named) => (asked.keep === undefined ? asked.field_key : asked.field?.field_key) ?? null;
  const seen = new Set(present.map(({ field_key }) => field_key));
  for (const [index, asked] of wanted.entries()) {
    const key = keyOf(asked);
    if (key === null) continue;
    if (seen.has(key)) yield { location, field: `${list}[${index}].field_key`, code: "duplicate", message: "names another field already" };
    seen.add(key);
  }
}

/** How many boxes of a group are ticked is said once, on its first field. */
function* groupMistakes(wanted: readonly Named[], { location, list }: Place, present: readonly Present[]): Generator<Detail> {
  const nameOf = (role: string | null | undefined, group: string) => JSON.stringify([role, group]);
  const begun = new Set(present.flatMap(({ role, settings: { group } }) => (group === undefined ? [] : [nameOf(role, group)])));
  for (const [index, asked] of wanted.entries()) {
    const { group, min, max } = (asked.keep === undefined ? asked.settings : asked.field?.settings) ?? {};
    if (group === undefined) continue;
    const name = nameOf(asked.role, group);
    for (const [setting, value] of Object.entries({ min, max })) {
      if (value === undefined || !begun.has(name)) continue;
      const message = "is allowed only on the first field of the group";
      yield { location, field: `${list}[${index}].settings.${setting}`, code: "invalid_value", message };
    }
    begun.add(name);
  }
}

function* settingMistakes(wanted: readonly Named[], { location, list }: Place): Generator<Detail> {
  for (const [index, asked] of wanted.entries()) {
    if (asked.keep !== undefined) continue;
    for (const detail of faultsOf(asked.type, readSettings(asked))) {
      yield { location, ...detail, field: `${list}[${index}].${detail.field}` };
    }
  }
}

/** What is wrong with the settings of a field, by the member of the request. Choices and units are written into the document. */
export function faultsOf(type: Field["type"], read: Settings | readonly SettingFault[]): (Fault & { readonly field: string })[] {
  if ("options" in read) {
    const written = [...(read.options ?? []).map((text) => ["options", text] as const), ["settings.unit", read.unit ?? ""] as const];
    return written.flatMap(([field, text]) => {
      const fault = undrawableFault(type, text);
      return fault === null ? [] : [{ field, ...fault }];
    });
  }
  return read.map(({ setting, message }) => {
    return { field: setting === "options" ? setting : `settings.${setting}`, code: "invalid_value", message };
  });
}

const readSettings = ({ type, options, settings }: Pick<NewField, "type" | "options" | "settings">) =>
  fieldTypes[type].settings({ ...settings, options }, "request");

/** The settings, options and default of a new field that has passed the checks. */
function settingsOf(field: NewField): Pick<Field, "options" | "settings" | "default_value"> {
  const read = readSettings(field);
  const given = field.default_value ?? null;
  const default_value = given === null || !("options" in read) ? null : heldDefault(field.type, read, given);
  if (!("options" in read) || (default_value !== null && typeof default_value !== "string")) throw new Error("a field was not checked");
  const { options, ...settings } = read;
  return { options, settings, default_value };
}

function* defaultMistakes(wanted: readonly Named[], { location, list }: Place): Generator<Detail> {
  for (const [index, asked] of wanted.entries()) {
    if (asked.keep !== undefined) continue;
    const { type, default_value } = asked;
    if (default_value === undefined || default_value === null) continue;
    const settings = readSettings(asked);
    // Settings that are wrong are reported already.
    if (!("options" in settings)) continue;
    const held = heldDefault(type, settings, default_value);
    const fault = typeof held === "string" ? undrawableFault(type, held) : held;
    if (fault !== null) yield { location, field: `${list}[${index}].default_value`, ...fault };
  }
}

/** The default of a new field as it is kept. What the sender fills in can be given for every type. */
function heldDefault(type: Field["type"], settings: Settings, value: string): string | Fault {
  const own = fieldTypes[type];
  if (own.requestDefault !== undefined) return own.requestDefault(settings, value);
  if (settings.sender_fills === true) return own.held(settings, value);
  return { code: "invalid_value", message: `is allowed only for ${typesWithDefault} fields` };
}

function undrawableFault(type: Field["type"], value: string): Fault | null {
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
 * keeps its areas and its anchor, unless the request has other areas or another document. `pages`: how many each document has.
 */
export function resolveFields<F extends Pick<Field, "areas" | "anchor_match" | "document_no"> = never>(
  wanted: readonly (NewField | Staying<F>)[],
  anchors: readonly PlacedAnchor[],
  pages: readonly number[],
  place: Place,
): Placed<Field | F> {
  const cut = areaCutter(pages, place);
  const found = anchors[Symbol.iterator]();
  const fields = wanted.map((one, index): Field | F => {
    const label = `${place.list}[${index}]`;
    if (one.keep !== undefined) {
      if (one.areas === undefined && one.document === undefined) return one.field;
      const document_no = one.document ?? one.field.document_no;
      return {
        ...one.field,
        document_no,
        areas: cut.areas(one.areas ?? one.field.areas, document_no, `${label}.areas`),
        anchor_match: null,
      };
    }
    const { name, type, role = "", required = false, field_key = null, document: document_no = 1, placement } = one;
    const { options, settings, default_value } = settingsOf(one);
    const readonly = isShown(one) || settings.sender_fills === true;
    const common = { name, type, role, required, readonly, default_value, options, settings, field_key, document_no };
    if (placement.mode === "anchor") {
      const anchor = found.next().value as PlacedAnchor;
      if (anchor.area_clipped) cut.clipped.push(label);
      return { ...common, areas: [anchor.area], anchor_match: anchor.match };
    }
    return { ...common, areas: cut.areas(placement.areas, document_no, `${label}.placement.areas`), anchor_match: null };
  });
  if (cut.details.length > 0) throw new Problem("invalid_request", "areas", { details: cut.details });
  return { fields, warnings: clipWarnings(cut.clipped) };
}

/** Cuts areas to their pages, and collects those that were cut and those outside all pages. */
function areaCutter(counts: readonly number[], { location }: Place) {
  const details: Detail[] = [];
  const clipped: string[] = [];
  const areas = (given: readonly Area[], document_no: number, list: string): Area[] => {
    const pages = counts[document_no - 1] ?? 0;
    return given.flatMap(({ page, x, y, w, h }, nth) => {
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
  };
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
      document_no: 1,
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
