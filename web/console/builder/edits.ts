import type { PlaceableFieldType } from "@countersign/client/types";
import { required as requiredByType } from "@countersign/fields/pages";
import { type Anchor, type Box, canBeCreated, type Doc, type Field, newKey, nextName, ofType } from "./field.ts";
import { type Area, grownBy, isSame, movedBy, onPage, overlap, reachOf } from "./geometry.ts";
import { type Part, partAt } from "./parts.ts";

/** Every change to the fields. Each function returns a new document. */

/** The new document, and the boxes that the edit added. */
export interface Edited {
  readonly doc: Doc;
  readonly boxes: readonly string[];
}

interface NewField {
  readonly type: PlaceableFieldType;
  readonly role: string;
  readonly area: Area;
  readonly name?: string;
  readonly required?: boolean;
  readonly anchor?: Anchor | null;
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

function withAreas(doc: Doc, areas: ReadonlyMap<string, Area>): Doc {
  let isOther = false;
  const boxes = doc.boxes.map((box): Box => {
    const area = areas.get(box.id);
    if (area === undefined || isSame(area, box)) return box;
    isOther = true;
    return { ...area, id: box.id, field: box.field };
  });
  return isOther ? { ...doc, boxes } : doc;
}

const each = (boxes: readonly Box[], area: (box: Box) => Area): Map<string, Area> => new Map(boxes.map((box) => [box.id, area(box)]));

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

export type Alignment = "left" | "right" | "top" | "bottom" | "size";

/** Aligns to the first box. */
export function alignBoxes(doc: Doc, ids: readonly string[], how: Alignment): Doc {
  const first = doc.boxes.find(({ id }) => id === ids[0]);
  if (first === undefined) return doc;
  const given = (box: Box): Partial<Area> =>
    ({
      left: { x: first.x },
      right: { x: first.x + first.w - box.w },
      top: { y: first.y },
      bottom: { y: first.y + first.h - box.h },
      size: { w: first.w, h: first.h },
    })[how];
  return withAreas(
    doc,
    each(boxesOf(doc, ids), (box) => onPage({ ...box, ...given(box) })),
  );
}

/** Whether there is something to distribute: at least three boxes on one page. */
export function canDistribute(doc: Doc, ids: readonly string[]): boolean {
  const boxes = boxesOf(doc, ids);
  return boxes.length >= 3 && new Set(boxes.map(({ page }) => page)).size === 1;
}

/** Makes the gaps between boxes equal. The first and the last box stay where they are. */
export function distributeBoxes(doc: Doc, ids: readonly string[], how: "across" | "down"): Doc {
  if (!canDistribute(doc, ids)) return doc;
  const [at, size] = how === "across" ? (["x", "w"] as const) : (["y", "h"] as const);
  const boxes = [...boxesOf(doc, ids)].sort((a, b) => a[at] - b[at]);
  const [first, last] = [boxes[0], boxes.at(-1)];
  if (first === undefined || last === undefined) return doc;
  const filled = boxes.reduce((sum, box) => sum + box[size], 0);
  const gap = (last[at] + last[size] - first[at] - filled) / (boxes.length - 1);
  let next = first[at];
  const places = new Map(
    boxes.map((box) => {
      const place = next;
      next += box[size] + gap;
      return [box.id, place] as const;
    }),
  );
  return withAreas(
    doc,
    each(boxes, (box) => onPage({ ...box, [at]: places.get(box.id) ?? box[at] })),
  );
}

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

/** Repeats the boxes on these pages, as further places of the same field. An anchored field stays as it is; its copies become a second field of the same name. */
export function copyToPages(doc: Doc, ids: readonly string[], pages: readonly number[]): Edited {
  const fields = [...doc.fields];
  const boxes: Box[] = [];
  for (const { field, areas } of clipOf(doc, ids)) {
    const key = field.anchor === null ? field.key : newKey("field");
    for (const area of areas) {
      for (const page of pages) {
        const copy = { ...area, page };
        if (!doc.boxes.some((box) => box.field === field.key && isSame(box, copy))) boxes.push({ ...copy, id: newKey("box"), field: key });
      }
    }
    if (field.anchor !== null && boxes.some((box) => box.field === key)) fields.push({ ...field, key, anchor: null });
  }
  if (boxes.length === 0) return { doc, boxes: [] };
  return { doc: { ...doc, fields, boxes: [...doc.boxes, ...boxes] }, boxes: boxes.map(({ id }) => id) };
}
