import type { Area } from "@countersign/pdf/pool";

/** What a request may place: specification, "Template field". */
export const requestTypes = ["signature", "initials", "text", "date", "checkbox"] as const;
/** A tag knows three more: specification, "Embedded tags". */
export const fieldTypes = [...requestTypes, "number", "select", "radio"] as const;
export type FieldType = (typeof fieldTypes)[number];

/** One input of one role, in one or more places of the document. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
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

/** A day of the calendar, as fields hold it: YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** A field of a document that was sent, in its place among the others. `prefilled`: what the sender filled in. */
export interface SentField extends Field {
  readonly position: number;
  readonly prefilled: string | null;
}

export const isMark = ({ type }: Pick<Field, "type">): boolean => type === "signature" || type === "initials";
