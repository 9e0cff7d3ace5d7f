// A widget with the attributes of its field, which may stand in any ancestor (ISO 32000-2, 12.7.4.1).

import { PdfArray, PdfDict, type PdfObject, PdfString } from "@libpdf/core";
import { decodeText } from "../content/text-strings.ts";
import { type Doc, resolve } from "../doc.ts";
import { readDefaultAppearance, type TextStyle } from "./default-appearance.ts";
import type { Quadding } from "./text.ts";
import { nameIn, numberIn } from "./values.ts";

export type Field = {
  readonly widget: PdfDict;
  readonly type: string | null;
  readonly flags: number;
  /** The value of the field itself or of its nearest ancestor that has one. */
  readonly inherited: (key: string) => PdfObject | null;
  /** All names from the root, joined by periods. */
  readonly name: string;
  readonly style: TextStyle;
  readonly quadding: Quadding;
};

export type Form = { readonly dict: PdfDict | null; readonly outdated: boolean; readonly fieldOf: (widget: PdfDict) => Field };

// The same limit as elsewhere for forms.
const MAX_DEPTH = 64;
const LONGEST_NAME = 200;

export function readForm(doc: Doc): Form {
  const found = resolve(doc, doc.catalog.get("AcroForm"));
  const dict = found instanceof PdfDict ? found : null;
  const outdated = resolve(doc, dict?.get("NeedAppearances"));
  const parents = parentsOf(doc, dict);
  return { dict, outdated: outdated?.type === "bool" && outdated.value, fieldOf: (widget) => fieldOf(doc, widget, dict, parents) };
}

// Some producers leave out /Parent, and then only the list of the parent tells which field a widget belongs to.
function parentsOf(doc: Doc, form: PdfDict | null): ReadonlyMap<PdfDict, PdfDict> {
  const parents = new Map<PdfDict, PdfDict>();
  const seen = new Set<PdfDict>();
  const open: PdfObject[] = form?.get("Fields") === undefined ? [] : [form.get("Fields") as PdfObject];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const value = resolve(doc, next);
    if (value instanceof PdfArray) for (const item of value) open.push(item);
    if (!(value instanceof PdfDict) || seen.has(value)) continue;
    seen.add(value);
    const kids = resolve(doc, value.get("Kids"));
    if (!(kids instanceof PdfArray)) continue;
    for (const item of kids) {
      const kid = resolve(doc, item);
      if (kid instanceof PdfDict && !parents.has(kid)) parents.set(kid, value);
    }
    open.push(kids);
  }
  return parents;
}

function fieldOf(doc: Doc, widget: PdfDict, form: PdfDict | null, parents: ReadonlyMap<PdfDict, PdfDict>): Field {
  const line: PdfDict[] = [];
  for (let next: PdfObject | null = widget; next instanceof PdfDict && !line.includes(next) && line.length < MAX_DEPTH; ) {
    line.push(next);
    next = resolve(doc, next.get("Parent")) ?? parents.get(next) ?? null;
  }
  const inherited = (key: string): PdfObject | null => {
    for (const dict of line) {
      const value = resolve(doc, dict.get(key));
      if (value !== null) return value;
    }
    return null;
  };
  const appearance = inherited("DA") ?? resolve(doc, form?.get("DA"));
  const quadding = numberIn(doc, inherited("Q") ?? form?.get("Q"));
  return {
    widget,
    type: nameIn(doc, inherited("FT")),
    flags: numberIn(doc, inherited("Ff")) ?? 0,
    inherited,
    name: nameOf(doc, line),
    style: readDefaultAppearance(appearance instanceof PdfString ? appearance.bytes : new Uint8Array(0)),
    quadding: quadding === 1 ? "centre" : quadding === 2 ? "right" : "left",
  };
}

function nameOf(doc: Doc, line: readonly PdfDict[]): string {
  const titles = line.map((dict) => resolve(doc, dict.get("T"))).filter((title) => title instanceof PdfString);
  const name = titles
    .reverse()
    .map((title) => decodeText(title.bytes))
    .join(".");
  return [...name.replaceAll(/[\p{C}\s]+/gu, " ").trim()].slice(0, LONGEST_NAME).join("");
}
