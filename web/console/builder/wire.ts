import type { EnvelopeField, FieldPlacement, FieldReplacement } from "@countersign/client/types";
import type { Frozen } from "../../operation.ts";
import { type Anchor, type Box, canBeCreated, type Doc, type Field, type FieldSettings, isPlaceable, newKey } from "./field.ts";
import { type Area, isSame } from "./geometry.ts";
import { inPart, type Part, partAt } from "./parts.ts";

/** Converts the fields to and from the API. */

/** A field as it is stored on the server. */
export type PresentField = Frozen<EnvelopeField>;

/** The fields that are stored on the server, by key. */
export type Known = ReadonlyMap<string, { readonly position: number; readonly field: PresentField }>;

const areaOf = ({ page, x, y, w, h }: Area): Area => ({ page, x, y, w, h });

export function docOf(present: readonly PresentField[], roles: readonly string[]): { readonly doc: Doc; readonly known: Known } {
  const known = new Map<string, { position: number; field: PresentField }>();
  const boxes: Box[] = [];
  const fields = present.map((field, position): Field => {
    const key = newKey("field");
    known.set(key, { position, field });
    for (const area of field.areas) boxes.push({ ...areaOf(area), id: newKey("box"), field: key });
    const { name, type, role, required, readonly, default_value, options, settings = {}, anchor_match } = field;
    const anchor: Anchor | null = anchor_match === undefined ? null : { match: anchor_match, requested: null };
    return { key, name, type, role, required, readonly, default_value, options, settings, anchor };
  });
  const named = present.flatMap(({ role }) => (role === null ? [] : [role]));
  return { doc: { fields, boxes, roles: [...new Set([...roles, ...named])] }, known };
}

/** The body of the PUT request. Stored fields are kept, with their changes; new fields are placed. */
export function bodyOf(doc: Doc, known: Known, parts: readonly Part[]): readonly FieldReplacement[] {
  return doc.fields.map((field) => {
    const areas = doc.boxes.filter((box) => box.field === field.key).map(areaOf);
    const before = known.get(field.key);
    const body =
      before === undefined ? newFieldBody(field, areas, parts) : keptFieldBody(field, areas, before.position, before.field, parts);
    // All boxes of a field are on one document.
    const { no } = partAt(parts, areas[0]?.page ?? 1);
    const was = before === undefined ? 1 : partAt(parts, before.field.areas[0]?.page ?? 1).no;
    return no === was ? body : { ...body, document: no };
  });
}

function newFieldBody(
  { name, type, role, required, default_value, options, settings, anchor }: Field,
  areas: readonly Area[],
  parts: readonly Part[],
): FieldReplacement {
  const requested = anchor?.requested ?? null;
  const placement: FieldPlacement =
    requested === null ? { mode: "absolute", areas: areas.map((area) => inPart(parts, area)) } : { mode: "anchor", ...requested };
  const named = { ...(isPlaceable(type) && { type }), ...(role !== null && { role }) };
  const more = { ...(options !== null && { options }), ...(Object.keys(settings).length > 0 && { settings: trimmed(settings) }) };
  return { name, ...named, required, ...(default_value !== null && { default_value }), ...more, placement };
}

/** Without spaces at the ends of texts, which stay while they are typed. */
const trimmed = (settings: FieldSettings): FieldSettings =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]));

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function keptFieldBody(
  field: Field,
  areas: readonly Area[],
  position: number,
  before: PresentField,
  parts: readonly Part[],
): FieldReplacement {
  const { name, role, required, default_value, options, settings } = field;
  const isMoved = areas.length !== before.areas.length || areas.some((area, nth) => !isSame(area, before.areas[nth] ?? area));
  const isFreed = before.anchor_match !== undefined && field.anchor === null;
  return {
    keep: { position, name: before.name },
    ...(name !== before.name && { name }),
    ...(role !== before.role && role !== null && { role }),
    ...(required !== before.required && { required }),
    ...(default_value !== before.default_value && { default_value }),
    ...(options !== null && !isEqual(options, before.options) && { options }),
    ...(!isEqual(trimmed(settings), before.settings ?? {}) && { settings: trimmed(settings) }),
    ...((isMoved || isFreed) && { areas: areas.map((area) => inPart(parts, area)) }),
  };
}

/** The state after a save: all fields are stored now, with clipped areas and anchor matches from the answer. */
export function afterSave(
  doc: Doc,
  answered: readonly Pick<PresentField, "areas" | "anchor_match">[],
): { readonly doc: Doc; readonly known: Known } {
  const known = new Map<string, { position: number; field: PresentField }>();
  const boxes = [...doc.boxes];
  const fields = doc.fields.map((field, position): Field => {
    const { areas = [], anchor_match } = answered[position] ?? {};
    const own = doc.boxes.flatMap((box, index) => (box.field === field.key ? [index] : []));
    for (const [nth, index] of own.entries()) {
      const [box, area] = [boxes[index], areas[nth]];
      if (box !== undefined && area !== undefined && !isSame(box, area)) boxes[index] = { ...box, ...areaOf(area) };
    }
    const { name, type, role, required, readonly, default_value, options, settings } = field;
    const match = anchor_match === undefined ? {} : { anchor_match };
    known.set(field.key, { position, field: { name, type, role, required, readonly, default_value, options, settings, areas, ...match } });
    return anchor_match === undefined ? field : { ...field, anchor: { match: anchor_match, requested: field.anchor?.requested ?? null } };
  });
  return { doc: { ...doc, fields, boxes }, known };
}

const normalizedName = (name: string): string => name.trim().replaceAll(/\s+/g, " ");

/**
 * Whether the server still has the fields that were last loaded. If another user added fields since, our request would delete them. A
 * changed position or role is not lost, because unchanged values are not sent.
 */
export function isUnchanged(present: readonly Pick<PresentField, "name">[], known: Known): boolean {
  const loaded = [...known.values()].sort((a, b) => a.position - b.position).map(({ field }) => normalizedName(field.name));
  return present.length === loaded.length && present.every(({ name }, index) => normalizedName(name) === loaded[index]);
}

/** Whether this save removes a field that only a tag can create. Such a save cannot be undone. */
export const losesTags = (before: Known, doc: Doc): boolean =>
  [...before].some(([key, { field }]) => !canBeCreated({ settings: {}, ...field }) && !doc.fields.some((one) => one.key === key));

/** An error of a field, in the API's words. */
export interface FieldError {
  readonly field: string;
  /** `name`, `role` or `default_value`; anything else is about the placement */
  readonly part: string;
  readonly message: string;
}

/** Matches API errors to fields: `fields[3].placement.areas[0].page` is about the fourth field of the request. */
export function fieldErrorsOf(
  details: readonly { readonly field: string | null; readonly message: string }[],
  sent: Doc,
): readonly FieldError[] {
  return details.flatMap(({ field, message }) => {
    const [, index, part = ""] = /^fields\[(\d+)\]\.?(.*)$/.exec(field ?? "") ?? [];
    const key = index === undefined ? undefined : sent.fields[Number(index)]?.key;
    return key === undefined ? [] : [{ field: key, part, message }];
  });
}
