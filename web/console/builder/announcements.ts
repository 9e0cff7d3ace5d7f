import { en as words } from "../words/builder/en.ts";
import { type Doc, type Field, typeNames } from "./field.ts";
import type { Area } from "./geometry.ts";

/** Texts for screen readers. */

/** In percent with at most one decimal: 12.5, and 12 instead of 12.0. */
export const percent = (fraction: number): number => Math.round(fraction * 1_000) / 10;

export const positionText = ({ page, x, y }: Area): string => words.position(page, percent(x), percent(y));

export const sizeText = ({ w, h }: Area): string => words.size(percent(w), percent(h));

/** The name of a field, or its type while the name is empty. */
export const nameOf = ({ name, type }: Pick<Field, "name" | "type">): string => (name.trim() === "" ? typeNames[type] : name);

/** The position of the selected boxes. */
export function placesText(doc: Doc, ids: readonly string[], textOf: (area: Area) => string = positionText): string {
  const boxes = doc.boxes.filter(({ id }) => ids.includes(id));
  const [first] = boxes;
  if (first === undefined) return "";
  const field = doc.fields.find(({ key }) => key === first.field);
  return words.placed(field === undefined ? "" : nameOf(field), textOf(first), boxes.length);
}
