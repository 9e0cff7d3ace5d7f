import type { PlaceableFieldType } from "@countersign/client/types";
import { required as requiredByType } from "@countersign/fields/pages";
import { type Box, canBeCreated, type Doc, type Field, newKey, nextName, ofType } from "./field.ts";
import { type Area, grownBy, isSame, movedBy, onPage, overlap, reachOf } from "./geometry.ts";
import { type Part, partAt } from "./parts.ts";

/** Every change to the fields. Each function returns a new document. */

/** The new document, and the boxes that the edit added. */
export interface Edited {
  readonly doc: Doc;
  readonly boxes: readonly string[];
}

interface NewField extends Partial<Pick<Field, "name" | "required" | "anchor">> {
  readonly type: PlaceableFieldType;
  readonly role: string;
  readonly area: Area;
}

export function placeField(doc: Doc, { type, role, area, name, required = requiredByType[type], anchor = null }: NewField): Edited {
  const field: Field = {
    key: newKey("field"),
    name: name ?? nextName(doc.fields, type),
    ...ofType(type, role),
    required,
    anchor,
  };
  const box: Box = { ...onPage(area), id: newKey("box"), field: field.key };
  const roles = doc.roles.includes(role) ? doc.roles : [...doc.roles, role];
  return { doc: { fields: [...doc.fields, field], boxes: [...doc.boxes, box], roles }, boxes: [box.id] };
}

/** The first free place at or below `area`; `area` itself if there is none. */
export function freePlace(doc: Doc, area: Area): Area {
  for (let tried = area; tried.y + tried.h <= 1; tried = movedBy(tried, 0, area.h + 0.01)) {
    if (!doc.boxes.some((box) => overlap(box, tried))) return tried;
  }
  return area;
}

export const boxesOf = (doc: Doc, ids: readonly string[]): readonly Box[] => doc.boxes.filter(({ id }) => ids.includes(id));

export function withAreas(doc: Doc, areas: ReadonlyMap<string, Area>): Doc {
  let isOther = false;
  const boxes = doc.boxes.map((box): Box => {
    const area = areas.get(box.id);
    if (area === undefined || isSame(area, box)) return box;
    isOther = true;
    return { ...area, id: box.id, field: box.field };
  });
  return isOther ? { ...doc, boxes } : doc;
}

export const each = (boxes: readonly Box[], area: (box: Box) => Area): Map<string, Area> =>
  new Map(boxes.map((box) => [box.id, area(box)]));

export function moveBoxes(doc: Doc, ids: readonly string[], dx: number, dy: number): Doc {
  const boxes = boxesOf(doc, ids);
  const reach = reachOf(boxes, dx, dy);
  return withAreas(
    doc,
    each(boxes, (box) => movedBy(box, reach.dx, reach.dy)),
  );
}

/** Moves all boxes by the same distance as `lead`. Boxes on the page of `lead` move to its new page. */
export function moveWith(doc: Doc, ids: readonly string[], lead: Box, to: Area): Doc {
  const boxes = boxesOf(doc, ids);
  const reach = reachOf(boxes, to.x - lead.x, to.y - lead.y);
  return withAreas(
    doc,
    each(boxes, (box) => ({ ...movedBy(box, reach.dx, reach.dy), page: box.page === lead.page ? to.page : box.page })),
  );
}

export const growBoxes = (doc: Doc, ids: readonly string[], dw: number, dh: number): Doc =>
  withAreas(
    doc,
    each(boxesOf(doc, ids), (box) => grownBy(box, dw, dh)),
  );

export const setArea = (doc: Doc, id: string, area: Area): Doc => withAreas(doc, new Map([[id, onPage(area)]]));

/** Removes boxes, and fields that have no box left. */
export function removeBoxes(doc: Doc, ids: readonly string[]): Doc {
  const boxes = doc.boxes.filter(({ id }) => !ids.includes(id));
  if (boxes.length === doc.boxes.length) return doc;
  return { ...doc, boxes, fields: doc.fields.filter(({ key }) => boxes.some(({ field }) => field === key)) };
}

export function editField(doc: Doc, key: string, changes: Partial<Omit<Field, "key">>): Doc {
  const { role } = changes;
  const roles = role === undefined || role === null || doc.roles.includes(role) ? doc.roles : [...doc.roles, role];
  return { ...doc, roles, fields: doc.fields.map((field) => (field.key === key ? { ...field, ...changes } : field)) };
}

/** Detaches fields from their anchor text. They keep their current position. */
export function detachFromAnchors(doc: Doc, ids: readonly string[]): Doc {
  const keys = new Set(boxesOf(doc, ids).map(({ field }) => field));
  return { ...doc, fields: doc.fields.map((field) => (keys.has(field.key) ? { ...field, anchor: null } : field)) };
}

export const hasAnchor = (doc: Doc, ids: readonly string[]): boolean =>
  boxesOf(doc, ids).some((box) => doc.fields.find(({ key }) => key === box.field)?.anchor !== null);

export const addRole = (doc: Doc, role: string): Doc => (doc.roles.includes(role) ? doc : { ...doc, roles: [...doc.roles, role] });

/** Renames a role and updates its fields. If the new name exists already, the two roles are merged. */
export function renameRole(doc: Doc, from: string, to: string): Doc {
  if (from === to || !doc.roles.includes(from)) return doc;
  const roles = [...new Set(doc.roles.map((role) => (role === from ? to : role)))];
  return { ...doc, roles, fields: doc.fields.map((field) => (field.role === from ? { ...field, role: to } : field)) };
}

/** A field is on one document. Boxes that were moved or copied to another one become a field of the same name there. */
export function splitByPart(doc: Doc, parts: readonly Part[]): Doc {
  if (parts.length < 2) return doc;
  const fields: Field[] = [];
  const keys = new Map<string, string>();
  for (const field of doc.fields) {
    const numbers = new Set(doc.boxes.filter((box) => box.field === field.key).map(({ page }) => partAt(parts, page).no));
    const [first, ...others] = numbers;
    fields.push(field);
    for (const no of others) {
      const key = newKey("field");
      fields.push({ ...field, key, anchor: null });
      keys.set(`${field.key} ${no}`, key);
    }
    if (first !== undefined) keys.set(`${field.key} ${first}`, field.key);
  }
  if (fields.length === doc.fields.length) return doc;
  const boxes = doc.boxes.map((box) => ({ ...box, field: keys.get(`${box.field} ${partAt(parts, box.page).no}`) ?? box.field }));
  return { ...doc, fields, boxes };
}

/** Copied fields as they were at the time, each with its selected boxes. */
export type Clip = readonly { readonly field: Field; readonly areas: readonly Area[] }[];

export function clipOf(doc: Doc, ids: readonly string[]): Clip {
  const chosen = boxesOf(doc, ids);
  return doc.fields.flatMap((field) => {
    const areas = chosen.filter((box) => box.field === field.key).map(({ page, x, y, w, h }) => ({ page, x, y, w, h }));
    return areas.length === 0 ? [] : [{ field, areas }];
  });
}

// Keeps a copy from covering its original exactly.
const OFFSET = 0.02;

/** Creates a new field for each copied one. A field that only a tag can create gets another place instead. `page` is used if all copied boxes were on one page. */
export function paste(doc: Doc, clip: Clip, page: number | null = null): Edited {
  const areas = clip.flatMap((one) => one.areas);
  const from = new Set(areas.map((area) => area.page)).size === 1 ? areas[0]?.page : undefined;
  const target = (area: Area) => (page !== null && from !== undefined ? page : area.page);
  const reach = reachOf(areas, OFFSET, OFFSET);
  const fields = [...doc.fields];
  const boxes: Box[] = [];
  for (const { field, areas: places } of clip) {
    const isNew = canBeCreated(field);
    if (!isNew && !fields.some(({ key }) => key === field.key)) continue;
    const key = isNew ? newKey("field") : field.key;
    if (isNew) fields.push({ ...field, key, name: nextName(fields, field.type), anchor: null });
    for (const area of places) boxes.push({ ...movedBy(area, reach.dx, reach.dy), page: target(area), id: newKey("box"), field: key });
  }
  // Fields that were copied in another document may have roles that this one does not have yet.
  const roles = [...new Set([...doc.roles, ...fields.flatMap(({ role }) => role ?? [])])];
  return { doc: { ...doc, roles, fields, boxes: [...doc.boxes, ...boxes] }, boxes: boxes.map(({ id }) => id) };
}
