import { fieldTypes, printed } from "@countersign/fields";
import type { Area, SignatureValue, Mark as StampedMark } from "@countersign/pdf/pool";
import type { Locale } from "../shared/locales.ts";
import { isMark } from "./field.ts";
import type { Step } from "./steps.ts";
import type { Signer } from "./submission.ts";

/** A signature or initials as a signer created them. `content`: JSON of a drawn or typed mark, or the PNG. */
export interface AdoptedMark {
  readonly sha256: string;
  readonly method: SignatureValue["kind"];
  readonly content: Uint8Array;
}

const values = new WeakMap<AdoptedMark, SignatureValue>();

/** One value per mark, no matter how often it is in the document, so that the engine draws it once. */
export function signatureValue(mark: AdoptedMark): SignatureValue {
  const known = values.get(mark) ?? readValue(mark);
  values.set(mark, known);
  return known;
}

function readValue({ method, content }: AdoptedMark): SignatureValue {
  if (method === "uploaded") return { kind: "uploaded", png: content };
  return { kind: method, ...JSON.parse(Buffer.from(content).toString("utf8")) };
}

/** The value of a step: text, or a mark with the time at which it was applied. */
export type Entered = { readonly text: string } | { readonly mark: AdoptedMark; readonly at: Date };

/** The signer, and what the caption under a signature shows. */
export interface SignedBy {
  readonly signer: Pick<Signer, "name" | "role">;
  readonly reference: string;
  /** the language in which numbers and dates are written; null: as they are stored */
  readonly locale: Locale | null;
}

/** How the engine draws a step's value, in all its places; nothing if it is empty. */
export function stampOf(step: Step, entered: Entered | null, { signer, reference, locale }: SignedBy): StampedMark[] {
  if (entered === null) return [];
  return placesOf(step).map((areas) => {
    const common = { field: step.field_id, signer: signer.role, areas, label: step.name };
    if ("text" in entered) return { ...common, ...textStamp(step.type, printedText(step, entered.text, locale), step.options) };
    if (!isMark(step)) throw new Error("a mark in a field for text");
    const value = signatureValue(entered.mark);
    return { ...common, kind: "mark", value, name: signer.name, time: entered.at, reference, initials: step.type === "initials" };
  });
}

/**
 * Where each value is drawn. Radio buttons with one place per option, in one field or in linked ones, are one input: a disc in the
 * chosen place.
 */
export function placesOf({ type, options, fields }: Step): (readonly Area[])[] {
  const places = fields.map(({ areas }) => areas);
  return fieldTypes[type].draw === "disc" && places.flat().length === options?.length ? [places.flat()] : places;
}

/** As it is written into the document. */
export function printedText({ type, settings }: Pick<Step, "type" | "settings">, text: string, locale: Locale | null): string {
  return locale === null ? text : printed(fieldTypes[type].control, text, locale, settings.unit);
}

function textStamp(type: Step["type"], text: string, options: readonly string[] | null) {
  const { draw } = fieldTypes[type];
  switch (draw) {
    case "cross":
      return { kind: draw, value: text === "true" };
    case "disc":
      return { kind: draw, options: options ?? [], value: text === "" ? null : text };
    case "text":
      return { kind: draw, value: text };
    case "mark":
      throw new Error("text in a field for a mark");
  }
}
