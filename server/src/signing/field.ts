import { type FieldTypeName, fieldTypeNames, fieldTypes, type Settings, typesFrom } from "@countersign/fields";
import type { Area } from "@countersign/pdf/pool";

/** The types that a request can place. See the specification, "Template field". */
export const requestTypes = typesFrom("request");
/** In the order of the API: first the types that a request can place, then those that only a tag can (specification, "Embedded tags"). */
export const apiTypes = [...requestTypes, ...fieldTypeNames.filter((name) => !requestTypes.includes(name))];

/** The types whose fields a request can give a default, as messages name them: "text and date". */
export const typesWithDefault = new Intl.ListFormat("en").format(
  requestTypes.filter((name) => fieldTypes[name].requestDefault !== undefined),
);

/** One input of one role, in one or more places of the document. */
export interface Field {
  readonly name: string;
  readonly type: FieldTypeName;
  /** empty for a label, which is no signer's */
  readonly role: string;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly default_value: string | null;
  /** the options of a select or radio field; null for other types */
  readonly options: readonly string[] | null;
  /** what it has beyond its type, as its type declares it */
  readonly settings: FieldSettings;
  /** by which rules, bulk files and programs name it; null for a field from before keys existed */
  readonly field_key: string | null;
  /** the document that it is on, from 1 */
  readonly document_no: number;
  /** their pages count within the document; in a sent envelope through all documents */
  readonly areas: readonly Area[];
  /** the anchor next to which it was placed; null if it was placed in another way */
  readonly anchor_match: Area | null;
}

export type FieldSettings = Omit<Settings, "options">;

/** The roles of the fields, in order. Labels have none. */
export function rolesOf(fields: readonly Pick<Field, "role">[]): string[] {
  return [...new Set(fields.map((field) => field.role))].filter((role) => role !== "");
}

/** A field of a sent document, with its position. `prefilled`: what the sender filled in. */
export interface SentField extends Field {
  readonly position: number;
  readonly prefilled: string | null;
}

type Typed = Pick<Field, "type">;

/** Whether the signer creates the value: a signature or initials. */
export const isMark = ({ type }: Typed): boolean => fieldTypes[type].control === "mark";

/** Fixed text of the sender, which belongs to no signer. */
export const isShown = ({ type }: Typed): boolean => fieldTypes[type].control === "shown";

/** The service fills it in when its signer signs. */
export const isFilledAtSigning = ({ settings }: Pick<Field, "settings">): boolean => settings.fill === "signing_day";

/** Its value is true or false. */
export const isTick = ({ type }: Typed): boolean => fieldTypes[type].control === "checkbox";
