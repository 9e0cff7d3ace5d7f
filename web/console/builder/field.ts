import { placeableFieldTypes } from "@countersign/client/lists";
import type { AnchorPlacement, DocumentPage, FieldType, PlaceableFieldType } from "@countersign/client/types";
import type { Area } from "./geometry.ts";

/** What is worked on: fields, and the boxes that stand for them on the pages. A field has several where it is shown in several places. */

export const typeNames: Record<FieldType, string> = {
  signature: "Signature",
  initials: "Initials",
  text: "Text",
  date: "Date",
  checkbox: "Checkbox",
  number: "Number",
  select: "Choice from a list",
  radio: "Choice of one",
};

/** Where the words are that a field stands by. `asked`: only of one that is not saved yet. */
export interface Anchor {
  readonly match: Area;
  readonly asked: AnchorAsked | null;
}

/** All of it is said, also what a request may leave out. The page is not: the words are looked for on all of them. */
export type AnchorAsked = { readonly [N in Exclude<keyof AnchorPlacement, "mode" | "page">]: NonNullable<AnchorPlacement[N]> };

export interface Field {
  readonly key: string;
  readonly name: string;
  readonly type: FieldType;
  /** null: the first signer's */
  readonly role: string | null;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly default_value: string | null;
  readonly options: readonly string[] | null;
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
  /** in the order in which they came up; some may have no field yet */
  readonly roles: readonly string[];
}

/** Those that a request can name; the others come from tags in the document. */
export const isPlaceable = (type: FieldType): type is PlaceableFieldType => placeableFieldTypes.some((one) => one === type);

/** Whether a request could place it; what only a tag can make is kept, never made anew. */
export const canBeMade = ({ type, readonly }: Pick<Field, "type" | "readonly">): boolean => isPlaceable(type) && !readonly;

// In points, as on paper: a signature that is not squeezed, a line of text, a box to tick.
const sizes_pt: Record<PlaceableFieldType, readonly [number, number]> = {
  signature: [180, 44],
  initials: [70, 36],
  text: [180, 22],
  date: [100, 22],
  checkbox: [16, 16],
};

export function sizeOn(
  { w_pt, h_pt }: Pick<DocumentPage, "w_pt" | "h_pt">,
  type: PlaceableFieldType,
): { readonly w: number; readonly h: number } {
  const [w, h] = sizes_pt[type];
  const part = (own: number, whole: number) => Math.min(1, Math.max(0.008, Math.round((own / whole) * 1_000) / 1_000));
  return { w: part(w, w_pt), h: part(h, h_pt) };
}

let made = 0;
/** For this page alone: the service knows nothing of it. */
export const newKey = (kind: "field" | "box"): string => `${kind}-${++made}`;

/** "Signature 2", where there is one already. */
export function nextName(fields: readonly Field[], type: FieldType): string {
  const taken = new Set(fields.map(({ name }) => name));
  for (let n = 1; ; n++) {
    const name = `${typeNames[type]} ${n}`;
    if (!taken.has(name)) return name;
  }
}
