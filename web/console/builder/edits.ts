import type { PlaceableFieldType } from "@countersign/client/types";
import { type Anchor, type Box, canBeMade, type Doc, type Field, newKey, nextName } from "./field.ts";
import { type Area, grownBy, isSame, movedBy, onPage, overlap, reachOf } from "./geometry.ts";

/** Every change of the work, from one whole to the next. */

/** The new work, and which boxes it is about now. */
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

export function placeField(
  doc: Doc,
  { type, role, area, name, required = type === "signature" || type === "initials", anchor = null }: NewField,
): Edited {
  const field: Field = {
    key: newKey("field"),
    name: name ?? nextName(doc.fields, type),
    type,
    role,
    required,
    readonly: false,
    default_value: null,
    options: null,
    anchor,
  };
  const box: Box = { ...onPage(area), id: newKey("box"), field: field.key };
  const roles = doc.roles.includes(role) ? doc.roles : [...doc.roles, role];
  return { doc: { fields: [...doc.fields, field], boxes: [...doc.boxes, box], roles }, boxes: [box.id] };
}

/** The first place from here downwards that is free; the middle of a page is soon taken. */
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

/** As far as `lead` goes, and those on its page to the page that it goes to. */
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

export type Alignment = "left" | "top" | "size";

/** By the first of them. */
export function alignBoxes(doc: Doc, ids: readonly string[], how: Alignment): Doc {
  const first = doc.boxes.find(({ id }) => id === ids[0]);
  if (first === undefined) return doc;
  const given = { left: { x: first.x }, top: { y: first.y }, size: { w: first.w, h: first.h } }[how];
  return withAreas(
    doc,
    each(boxesOf(doc, ids), (box) => onPage({ ...box, ...given })),
  );
}

/** A field whose last box goes, goes with it. */
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

/** They stand where they are from now on, whatever happens to the words beside them. */
export function freeOfAnchors(doc: Doc, ids: readonly string[]): Doc {
  const keys = new Set(boxesOf(doc, ids).map(({ field }) => field));
  return { ...doc, fields: doc.fields.map((field) => (keys.has(field.key) ? { ...field, anchor: null } : field)) };
}

export const hasAnchor = (doc: Doc, ids: readonly string[]): boolean =>
  boxesOf(doc, ids).some((box) => doc.fields.find(({ key }) => key === box.field)?.anchor !== null);

export const addRole = (doc: Doc, role: string): Doc => (doc.roles.includes(role) ? doc : { ...doc, roles: [...doc.roles, role] });

/** All its fields go with it; under a name that is there already, the two become one. */
export function renameRole(doc: Doc, from: string, to: string): Doc {
  if (from === to || !doc.roles.includes(from)) return doc;
  const roles = [...new Set(doc.roles.map((role) => (role === from ? to : role)))];
  return { ...doc, roles, fields: doc.fields.map((field) => (field.role === from ? { ...field, role: to } : field)) };
}

/** What was copied: fields as they were then, each with the boxes that were chosen of it. */
export type Clip = readonly { readonly field: Field; readonly areas: readonly Area[] }[];

export function clipOf(doc: Doc, ids: readonly string[]): Clip {
  const chosen = boxesOf(doc, ids);
  return doc.fields.flatMap((field) => {
    const areas = chosen.filter((box) => box.field === field.key).map(({ page, x, y, w, h }) => ({ page, x, y, w, h }));
    return areas.length === 0 ? [] : [{ field, areas }];
  });
}

// So that a copy does not lie exactly on what it was made of.
const ASIDE = 0.02;

/** A field of its own for each; of what only a tag can make, one more place of the same. `page`: for what all stood on one page. */
export function paste(doc: Doc, clip: Clip, page: number | null = null): Edited {
  const areas = clip.flatMap((one) => one.areas);
  const from = new Set(areas.map((area) => area.page)).size === 1 ? areas[0]?.page : undefined;
  const target = (area: Area) => (page !== null && from !== undefined ? page : area.page);
  const reach = reachOf(areas, ASIDE, ASIDE);
  const fields = [...doc.fields];
  const boxes: Box[] = [];
  for (const { field, areas: places } of clip) {
    const isNew = canBeMade(field);
    if (!isNew && !fields.some(({ key }) => key === field.key)) continue;
    const key = isNew ? newKey("field") : field.key;
    if (isNew) fields.push({ ...field, key, name: nextName(fields, field.type), anchor: null });
    for (const area of places) boxes.push({ ...movedBy(area, reach.dx, reach.dy), page: target(area), id: newKey("box"), field: key });
  }
  return { doc: { ...doc, fields, boxes: [...doc.boxes, ...boxes] }, boxes: boxes.map(({ id }) => id) };
}

/** The same places on these pages: one field in many places, filled once. What stands by words stays there, and gets one beside it of the same name. */
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
