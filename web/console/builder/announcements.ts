import { type Doc, type Field, typeNames } from "./field.ts";
import type { Area } from "./geometry.ts";

/** Texts for screen readers. */

/** In percent with at most one decimal: 12.5, and 12 instead of 12.0. */
export const percent = (fraction: number): number => Math.round(fraction * 1_000) / 10;

export const positionText = ({ page, x, y }: Area): string => `page ${page}, ${percent(x)}% from the left, ${percent(y)}% from the top`;

export const sizeText = ({ w, h }: Area): string => `${percent(w)}% wide, ${percent(h)}% high`;

/** The name of a field, or its type while the name is empty. */
export const nameOf = ({ name, type }: Pick<Field, "name" | "type">): string => (name.trim() === "" ? typeNames[type] : name);

/** The position of the selected boxes. */
export function placesText(doc: Doc, ids: readonly string[], words: (area: Area) => string = positionText): string {
  const boxes = doc.boxes.filter(({ id }) => ids.includes(id));
  const [first] = boxes;
  if (first === undefined) return "";
  const field = doc.fields.find(({ key }) => key === first.field);
  const text = `${field === undefined ? "" : nameOf(field)}, ${words(first)}`;
  return boxes.length === 1 ? text : `${boxes.length} fields, the first: ${text}`;
}

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
