import { type Fault, fieldTypes } from "@countersign/fields";
import type { Field } from "./field.ts";

/** The values that a field can hold. Values are stored as text; a tick is `true` or `false`. */

/** Whether the text has no visible characters. */
export const isBlank = (text: string): boolean => /^[\s\p{Cf}]*$/u.test(text);

/** The value as text, or the reason why a field of this type cannot hold it. */
export function heldBy({ type, options, settings }: Pick<Field, "type" | "options" | "settings">, value: unknown): string | Fault {
  return fieldTypes[type].held({ ...settings, options }, value);
}
