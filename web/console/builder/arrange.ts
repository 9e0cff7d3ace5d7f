import { boxesOf, clipOf, type Edited, each, withAreas } from "./edits.ts";
import { type Box, type Doc, newKey } from "./field.ts";
import { type Area, isSame, onPage } from "./geometry.ts";

/** Changes to several fields at once, or on several pages. They are loaded with the panels that offer them. */

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
