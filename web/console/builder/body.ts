import type { FieldPlacement, FieldReplacement } from "@countersign/client/types";
import { type Doc, type Field, type FieldSettings, isPlaceable } from "./field.ts";
import { type Area, isSame } from "./geometry.ts";
import { inPart, type Part, partAt } from "./parts.ts";
import { areaOf, type FieldError, type Known, type PresentField } from "./wire.ts";

/** The request that saves the fields, and the comparison with what the server has. */

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

const normalizedName = (name: string): string => name.trim().replaceAll(/\s+/g, " ");

/**
 * Whether the server still has the fields that were last loaded. If another user added fields since, our request would delete them. A
 * changed position or role is not lost, because unchanged values are not sent.
 */
export function isUnchanged(present: readonly Pick<PresentField, "name">[], known: Known): boolean {
  const loaded = [...known.values()].sort((a, b) => a.position - b.position).map(({ field }) => normalizedName(field.name));
  return present.length === loaded.length && present.every(({ name }, index) => normalizedName(name) === loaded[index]);
}

/** Whether the server has exactly the fields of this document, in their places. */
export function hasFieldsOf(present: readonly Pick<PresentField, "name" | "areas">[], { fields, boxes }: Doc): boolean {
  const isClose = (one: Area, other: Area) => one.page === other.page && Math.hypot(one.x - other.x, one.y - other.y) < 1e-3;
  return (
    present.length === fields.length &&
    present.every(({ name, areas }, index) => {
      const field = fields[index];
      const own = boxes.filter((box) => box.field === field?.key);
      return (
        field !== undefined &&
        normalizedName(name) === normalizedName(field.name) &&
        own.length === areas.length &&
        own.every((box, nth) => isClose(box, areas[nth] ?? box))
      );
    })
  );
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
