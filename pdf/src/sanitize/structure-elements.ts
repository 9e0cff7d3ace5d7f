import { PdfArray, PdfDict, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";

export type StructureElement = { readonly element: PdfDict; readonly kids: readonly PdfObject[] };

/** The elements of the structure tree, each once (ISO 32000-2, 14.7.2). `kids` are also numbers of content and references to objects. */
export function* structureElements(doc: Doc): Generator<StructureElement> {
  const seen = new Set<PdfObject>();
  const open: PdfObject[] = [doc.catalog.get("StructTreeRoot") ?? new PdfArray()];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const element = resolve(doc, next);
    if (!(element instanceof PdfDict) || seen.has(element)) continue;
    seen.add(element);
    const found = resolve(doc, element.get("K"));
    const kids = found instanceof PdfArray ? found.toArray() : found === null ? [] : [found];
    for (const kid of kids) open.push(kid);
    yield { element, kids };
  }
}
