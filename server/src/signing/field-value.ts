import { type Fault, fieldTypes } from "@countersign/fields";
import type { Field } from "./field.ts";

/** What a field can hold. Values are kept as text; a tick is `true` or `false`. */

/** Nothing that anybody would see. */
export const isBlank = (text: string): boolean => /^[\s\p{Cf}]*$/u.test(text);

/** The value as text, or why a field of this type cannot hold it. */
export function heldBy({ type, options }: Pick<Field, "type" | "options">, value: unknown): string | Fault {
  return fieldTypes[type].held({ options }, value);
}
