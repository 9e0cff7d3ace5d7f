import { type FieldTypeName, fieldTypeNames, fieldTypes, typesFrom } from "@countersign/fields";
import type { Area } from "@countersign/pdf/pool";

/** What a request may place: specification, "Template field". */
export const requestTypes = typesFrom("request");
/** As the API lists them: first what a request may place, then what only a tag can (specification, "Embedded tags"). */
export const apiTypes = [...requestTypes, ...fieldTypeNames.filter((name) => !requestTypes.includes(name))];

/** The types whose fields a request can give a default, as messages name them: "text and date". */
export const typesWithDefault = new Intl.ListFormat("en").format(
  requestTypes.filter((name) => fieldTypes[name].requestDefault !== undefined),
);

/** One input of one role, in one or more places of the document. */
export interface Field {
  readonly name: string;
  readonly type: FieldTypeName;
  readonly role: string;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly default_value: string | null;
  /** the choices of a select or radio; null for the rest */
  readonly options: readonly string[] | null;
  readonly areas: readonly Area[];
  /** the text that it was placed against; null for a field that was placed another way */
  readonly anchor_match: Area | null;
}

/** The roles that fields name, in their order. */
export function rolesOf(fields: readonly Pick<Field, "role">[]): string[] {
  return [...new Set(fields.map((field) => field.role))];
}

/** A field of a document that was sent, in its place among the others. `prefilled`: what the sender filled in. */
export interface SentField extends Field {
  readonly position: number;
  readonly prefilled: string | null;
}

type Typed = Pick<Field, "type">;

/** Made by hand by the signer: a signature or initials. */
export const isMark = ({ type }: Typed): boolean => fieldTypes[type].control === "mark";

/** Its value is true or false. */
export const isTick = ({ type }: Typed): boolean => fieldTypes[type].control === "checkbox";
