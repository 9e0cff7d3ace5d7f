import type { FieldType, Origin } from "./field-type.ts";
import { checkbox } from "./types/checkbox.ts";
import { date } from "./types/date.ts";
import { initials } from "./types/initials.ts";
import { label } from "./types/label.ts";
import { number } from "./types/number.ts";
import { radio } from "./types/radio.ts";
import { select } from "./types/select.ts";
import { signature } from "./types/signature.ts";
import { text } from "./types/text.ts";

/** Every type of field, in the order in which messages list them. */
export const fieldTypes = { signature, initials, text, date, number, checkbox, select, radio, label } satisfies Record<string, FieldType>;

export type FieldTypeName = keyof typeof fieldTypes;

export const fieldTypeNames = Object.keys(fieldTypes) as readonly FieldTypeName[];

/** The types that a request, or a tag, can name. */
export const typesFrom = (origin: Origin): readonly FieldTypeName[] =>
  fieldTypeNames.filter((name) => fieldTypes[name].from.includes(origin));
