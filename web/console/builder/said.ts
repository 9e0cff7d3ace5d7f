import { type Doc, type Field, typeNames } from "./field.ts";
import type { Area } from "./geometry.ts";

/** What is told to those who do not see it. */

/** As people say it: 12.5, but 12 for 12.0. */
export const percent = (fraction: number): number => Math.round(fraction * 1_000) / 10;

export const placeWords = ({ page, x, y }: Area): string => `page ${page}, ${percent(x)} % from the left, ${percent(y)} % from the top`;

export const sizeWords = ({ w, h }: Area): string => `${percent(w)} % wide, ${percent(h)} % high`;

/** Its name may be empty while it is being typed. */
export const nameOf = ({ name, type }: Pick<Field, "name" | "type">): string => (name.trim() === "" ? typeNames[type] : name);

/** Where the chosen ones are now. */
export function placesSaid(doc: Doc, ids: readonly string[], words: (area: Area) => string = placeWords): string {
  const boxes = doc.boxes.filter(({ id }) => ids.includes(id));
  const [first] = boxes;
  if (first === undefined) return "";
  const field = doc.fields.find(({ key }) => key === first.field);
  const told = `${field === undefined ? "" : nameOf(field)}, ${words(first)}`;
  return boxes.length === 1 ? told : `${boxes.length} fields; the first: ${told}`;
}

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
