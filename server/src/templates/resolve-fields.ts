import { type AnchorPlacement, clipArea, type PlacedAnchor, type TagField } from "@countersign/pdf/pool";
import { type Detail, Problem } from "../shared/problems.ts";
import { type Field, isDate } from "../signing/field.ts";
import type { AskedField } from "./field-shapes.ts";
import { MAX_FIELDS, type Placed, type Warning } from "./template.ts";

/** Where a request named its fields: `fields` of a JSON body, or `fields_json` of a form. */
export interface Place {
  readonly location: "body" | "form";
  readonly list: string;
}

export const IN_BODY: Place = { location: "body", list: "fields" };
export const IN_FORM: Place = { location: "form", list: "fields_json" };

/** What the PDF has to be asked, in the order of the fields that ask it. */
export function anchorsOf(asked: readonly AskedField[]): AnchorPlacement[] {
  return asked.flatMap(({ placement }) => {
    if (placement.mode !== "anchor") return [];
    const { anchor_text, occurrence = 1, page, offset_x = 0, offset_y = 0, w, h } = placement;
    return [{ anchor_text, occurrence, ...(page !== undefined && { page }), place: { offset_x, offset_y, w, h } }];
  });
}

/** The index among all fields of the nth that has an anchor. */
export function fieldOfAnchor(asked: readonly AskedField[], nth: number): number {
  const anchored = asked.flatMap(({ placement }, index) => (placement.mode === "anchor" ? [index] : []));
  return anchored[nth] ?? -1;
}

// Each is a search over the whole text of the document.
const MAX_ANCHORS = 500;

/** What can be said of the fields without the document. All mistakes at once. */
export function refuseMistakes(asked: readonly AskedField[], place: Place, present: readonly Pick<Field, "role">[] = []): void {
  const details = [...defaultMistakes(asked, place), ...roleMistakes(asked, place, present)];
  if (asked.length + present.length > MAX_FIELDS) {
    details.push({ location: place.location, field: place.list, code: "too_long", message: `a template has at most ${MAX_FIELDS} fields` });
  }
  if (anchorsOf(asked).length > MAX_ANCHORS) {
    details.push({
      location: place.location,
      field: place.list,
      code: "too_long",
      message: `at most ${MAX_ANCHORS} fields may have anchors`,
    });
  }
  if (details.length > 0) throw new Problem("invalid_request", "fields", { details });
}

function* defaultMistakes(asked: readonly AskedField[], { location, list }: Place): Generator<Detail> {
  for (const [index, { type, default_value }] of asked.entries()) {
    if (default_value === undefined || type === "text") continue;
    const field = `${list}[${index}].default_value`;
    if (type !== "date") yield { location, field, code: "invalid_value", message: "is for text and date fields only" };
    else if (!isDate(default_value)) yield { location, field, code: "invalid_format", message: "must be a date, YYYY-MM-DD" };
  }
}

/** People mix up "Buyer" and "buyer": one would wait for a signer that nobody names. */
function* roleMistakes(
  asked: readonly AskedField[],
  { location, list }: Place,
  present: readonly Pick<Field, "role">[],
): Generator<Detail> {
  const spelled = new Map(present.map(({ role }) => [role.trim().toLowerCase(), role]));
  for (const [index, { role }] of asked.entries()) {
    const known = spelled.get(role.trim().toLowerCase());
    if (known === undefined) spelled.set(role.trim().toLowerCase(), role);
    else if (known !== role)
      yield { location, field: `${list}[${index}].role`, code: "conflict", message: `differs from "${known}" only in case or spacing` };
  }
}

/** The fields with their areas: those of the request cut to the page, the anchored ones where the engine found their text. */
export function resolveFields(asked: readonly AskedField[], anchors: readonly PlacedAnchor[], pages: number, place: Place): Placed {
  const details: Detail[] = [];
  const clipped: string[] = [];
  const found = anchors[Symbol.iterator]();
  const fields = asked.map(({ name, type, role, required = false, default_value = null, placement }, index): Field => {
    const label = `${place.list}[${index}]`;
    const common = { name, type, role, required, readonly: false, default_value, options: null };
    if (placement.mode === "anchor") {
      const anchor = found.next().value as PlacedAnchor;
      if (anchor.area_clipped) clipped.push(label);
      return { ...common, areas: [anchor.area], anchor_match: anchor.match };
    }
    const areas = placement.areas.flatMap((area, nth) => {
      const field = `${label}.placement.areas[${nth}]`;
      const { page, x, y, w, h } = area;
      const cut = clipArea({ page, x, y, w, h });
      if (page > pages)
        details.push({
          location: place.location,
          field: `${field}.page`,
          code: "out_of_range",
          message: `the document has ${pages} pages`,
        });
      else if (cut === null) details.push({ location: place.location, field, code: "out_of_range", message: "is outside the page" });
      if (cut?.clipped) clipped.push(field);
      return cut === null ? [] : [cut.area];
    });
    return { ...common, areas, anchor_match: null };
  });
  if (details.length > 0) throw new Problem("invalid_request", "areas", { details });
  return { fields, warnings: clipWarnings(clipped) };
}

/** The fields that the document itself carries. */
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
      areas: [tag.area],
      anchor_match: null,
    }),
  );
  return { fields, warnings: clipWarnings(tags.filter((tag) => tag.area_clipped).map((tag) => `"${tag.name}"`)) };
}

// Enough to find the pattern in a mistake that was made many times.
const MAX_NAMED = 20;

function clipWarnings(places: readonly string[]): Warning[] {
  if (places.length === 0) return [];
  const named = places.slice(0, MAX_NAMED).join(", ") + (places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more` : "");
  return [{ code: "area_clipped", message: `Sticks out of its page and was cut to it: ${named}` }];
}
