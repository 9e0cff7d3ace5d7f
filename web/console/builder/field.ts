import type {
  AnchorPlacement,
  FieldSettings as ApiSettings,
  DocumentPage,
  FieldType,
  PlaceableFieldType,
  TemplateField,
} from "@countersign/client/types";
import { placeable, sizes_pt } from "@countersign/fields/pages";
import type { Frozen } from "../../operation.ts";
import { en as words } from "../words/builder/en.ts";
import type { Area } from "./geometry.ts";

/** Fields and their boxes on the pages. A field has several boxes if it appears in several places. */

export const typeNames: Record<FieldType, string> = words.types;

/** The anchor text next to which a field is placed. `requested` is set only for unsaved fields. */
export interface Anchor {
  readonly match: Area;
  readonly requested: AnchorRequest | null;
}

/** All members are set, including those that are optional in a request. There is no page: all pages are searched. */
export type AnchorRequest = { readonly [N in Exclude<keyof AnchorPlacement, "mode" | "page">]: NonNullable<AnchorPlacement[N]> };

export type FieldSettings = Frozen<ApiSettings>;

type ApiField = Pick<TemplateField, "name" | "type" | "required" | "readonly" | "default_value" | "options">;

export interface Field extends Frozen<ApiField> {
  readonly key: string;
  /** null: the first signer, or for a fixed text no signer */
  readonly role: TemplateField["role"];
  readonly settings: FieldSettings;
  readonly anchor: Anchor | null;
}

export interface Box extends Area {
  readonly id: string;
  /** the key of its field */
  readonly field: string;
}

export interface Doc {
  readonly fields: readonly Field[];
  readonly boxes: readonly Box[];
  /** in order of appearance; a role may have no field yet */
  readonly roles: readonly string[];
}

/** Whether a request can place fields of this type. Other types come from tags in the document. */
export const isPlaceable = (type: FieldType): type is PlaceableFieldType => placeable.includes(type);

/** Whether a request can create this field. Fields that only a tag can create are kept, never created again. */
export const canBeCreated = ({ type, readonly, settings }: Pick<Field, "type" | "readonly" | "settings">): boolean =>
  isPlaceable(type) && (!readonly || type === "label" || settings.sender_fills === true);

/** Whether it is the sender's text, which belongs to no signer. */
export const isLabel = ({ type }: Pick<Field, "type">): boolean => type === "label";

/** What a field has from the start: a list of choices cannot be empty, and a fixed text is no signer's. */
export function ofType(
  type: FieldType,
  role: string | null,
): Pick<Field, "type" | "role" | "readonly" | "options" | "settings" | "default_value"> {
  const options = type === "select" || type === "radio" ? words.firstChoices : null;
  const isText = type === "label";
  return { type, role: isText ? null : role, readonly: isText, options, settings: {}, default_value: null };
}

export function sizeOn(
  { w_pt, h_pt }: Pick<DocumentPage, "w_pt" | "h_pt">,
  type: PlaceableFieldType,
): { readonly w: number; readonly h: number } {
  const [w, h] = sizes_pt[type];
  const part = (own: number, whole: number) => Math.min(1, Math.max(0.008, Math.round((own / whole) * 1_000) / 1_000));
  return { w: part(w, w_pt), h: part(h, h_pt) };
}

let made = 0;
/** Unique in this browser tab. The server does not know these keys. */
export const newKey = (kind: "field" | "box"): string => `${kind}-${++made}`;

/** The next free name, such as "Signature 2". */
export function nextName(fields: readonly Field[], type: FieldType): string {
  const taken = new Set(fields.map(({ name }) => name));
  for (let n = 1; ; n++) {
    const name = `${typeNames[type]} ${n}`;
    if (!taken.has(name)) return name;
  }
}

/** The roles whose people would find fields on the page. A field without a role is the first one's. */
export const rolesWithFields = ({ roles, fields }: Doc): readonly string[] =>
  roles.filter((role, index) =>
    fields.some((field) => (field.role === null ? index === 0 && field.type !== "label" : field.role === role)),
  );
