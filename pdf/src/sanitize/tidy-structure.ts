// A tagged document also lists its annotations in the structure tree (ISO 32000-2, 14.7.5.3). Annotations that were removed or flattened
// are empty dictionaries by now; entries that refer to them would be the only trace left.

import { PdfArray, PdfDict, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";
import { nameOf } from "./actions.ts";

/** Removes references to emptied annotations from the structure tree. */
export function tidyStructure(doc: Doc): void {
  const root = resolve(doc, doc.catalog.get("StructTreeRoot"));
  const seen = new Set<PdfObject>();
  const open: PdfObject[] = root === null ? [] : [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const element = resolve(doc, next);
    if (!(element instanceof PdfDict) || seen.has(element)) continue;
    seen.add(element);
    const kids = resolve(doc, element.get("K"));
    const items = kids instanceof PdfArray ? kids.toArray() : kids === null ? [] : [kids];
    const live = items.filter((item) => !isBrokenReference(doc, resolve(doc, item)));
    if (live.length < items.length) element.set("K", new PdfArray(live));
    for (const item of live) open.push(item);
  }
}

function isBrokenReference(doc: Doc, kid: PdfObject | null): boolean {
  if (!(kid instanceof PdfDict) || nameOf(doc, kid.get("Type")) !== "OBJR") return false;
  const target = resolve(doc, kid.get("Obj"));
  return target === null || (target instanceof PdfDict && target.size === 0);
}
