// What pages need to know of each type, as plain data. web/vite.config.ts evaluates this file when a page is built.
import type { Control } from "./field-type.ts";
import { type FieldTypeName, fieldTypeNames, fieldTypes, typesFrom } from "./types.ts";

export type { Control };

function ofEach<T>(pick: (name: FieldTypeName) => T): Readonly<Record<FieldTypeName, T>> {
  return Object.fromEntries(fieldTypeNames.map((name) => [name, pick(name)])) as Record<FieldTypeName, T>;
}

export const controls: Readonly<Record<FieldTypeName, Control>> = ofEach((name) => fieldTypes[name].control);
/** Only the types whose control has another name than the type: a shorter list for the signing page. */
export const otherControls = Object.fromEntries(Object.entries(controls).filter(([name, control]) => name !== control)) as Partial<
  Record<FieldTypeName, Control>
>;
/** the types that a request can place; the others come from tags in a document */
export const placeable: readonly FieldTypeName[] = typesFrom("request");
/** width and height in points of a field that is placed by hand */
export const sizes_pt: Readonly<Record<FieldTypeName, readonly [number, number]>> = ofEach((name) => fieldTypes[name].size_pt);
/** whether a new field is required */
export const required: Readonly<Record<FieldTypeName, boolean>> = ofEach((name) => fieldTypes[name].required);
