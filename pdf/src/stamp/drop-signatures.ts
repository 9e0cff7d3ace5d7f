// Removes signature fields from a form that could not be flattened (ISO 32000-2, 12.7.5.5).

import { PdfArray, PdfDict, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";
import { nameOf } from "../sanitize/actions.ts";
import { keepAnnotations } from "../sanitize/find-active.ts";

// The same limit as elsewhere for forms.
const MAX_DEPTH = 64;

/** Removes the fields, their widgets on the pages, and the form's signature flags. Other fields stay. */
export function dropSignatureFields(doc: Doc): void {
  const form = resolve(doc, doc.catalog.get("AcroForm"));
  if (!(form instanceof PdfDict)) return;
  const dropped = new Set<PdfDict>();
  keepUnsigned(doc, form, "Fields", null, dropped, 0);
  form.delete("SigFlags");
  for (const page of doc.pages) keepAnnotations(doc, page.dict, (annotation) => !dropped.has(annotation));
}

function keepUnsigned(doc: Doc, owner: PdfDict, key: string, inheritedType: string | null, dropped: Set<PdfDict>, depth: number): void {
  const children = resolve(doc, owner.get(key));
  if (!(children instanceof PdfArray) || depth > MAX_DEPTH) return;
  const kept: PdfObject[] = [];
  for (const child of children) {
    const field = resolve(doc, child);
    if (!(field instanceof PdfDict) || dropped.has(field)) continue;
    const type = nameOf(doc, field.get("FT")) ?? inheritedType;
    // A field's widgets may be its children, so everything below it is removed too.
    keepUnsigned(doc, field, "Kids", type, dropped, depth + 1);
    if (type === "Sig") dropped.add(field);
    else kept.push(child);
  }
  owner.set(key, new PdfArray(kept));
}
