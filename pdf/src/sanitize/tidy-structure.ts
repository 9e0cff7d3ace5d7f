// A tagged document also lists its annotations in the structure tree (ISO 32000-2, 14.7.5.3). Annotations that were removed or flattened
// are empty dictionaries by now; entries that refer to them would be the only trace left.

import { PdfArray, PdfDict, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";
import { nameOf } from "./actions.ts";
import { structureElements } from "./structure-elements.ts";

/** Removes references to emptied annotations from the structure tree. */
export function tidyStructure(doc: Doc): void {
  for (const { element, kids } of structureElements(doc)) {
    const live = kids.filter((kid) => !isBrokenReference(doc, resolve(doc, kid)));
    if (live.length < kids.length) element.set("K", new PdfArray(live));
  }
}

function isBrokenReference(doc: Doc, kid: PdfObject | null): boolean {
  if (!(kid instanceof PdfDict) || nameOf(doc, kid.get("Type")) !== "OBJR") return false;
  const target = resolve(doc, kid.get("Obj"));
  return target === null || (target instanceof PdfDict && target.size === 0);
}
