import type { EnvelopeField } from "@countersign/client/types";
import type { Frozen } from "../../operation.ts";
import { type Anchor, type Box, canBeCreated, type Doc, type Field, newKey } from "./field.ts";
import { type Area, isSame } from "./geometry.ts";

/** Converts the fields to and from the API. */

/** A field as it is stored on the server. */
export type PresentField = Frozen<EnvelopeField>;

/** The fields that are stored on the server, by key. */
export type Known = ReadonlyMap<string, { readonly position: number; readonly field: PresentField }>;

export const areaOf = ({ page, x, y, w, h }: Area): Area => ({ page, x, y, w, h });

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
