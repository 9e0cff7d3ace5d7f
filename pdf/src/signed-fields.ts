// Finds the signature fields of a document that contain a signature (ISO 32000-2, 12.7.5.5).

import { PdfArray, PdfDict, PdfName, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "./doc.ts";

// Each requires verifying a chain of certificates.
export const MAX_SIGNATURES = 32;

export type SignedField = { readonly name: string; readonly field: PdfDict; readonly signature: PdfDict };

/** In form order; empty for a document without a form. A field may inherit its type from any ancestor. */
export function signedFields(doc: Pick<Doc, "pdf">): SignedField[] {
  const form = resolve(doc, doc.pdf.context.catalog.getDict().get("AcroForm"));
  const signed: SignedField[] = [];
  const seen = new Set<PdfDict>();
  const visit = (value: PdfObject, above: readonly string[], inheritedType: string | null): void => {
    const field = resolve(doc, value);
    if (!(field instanceof PdfDict) || seen.has(field) || above.length > 64) return;
    seen.add(field);
    const own = resolve(doc, field.get("FT"));
    const type = own instanceof PdfName ? own.value : inheritedType;
    const title = resolve(doc, field.get("T"));
    const names = title?.type === "string" ? [...above, title.asString()] : above;
    const signature = resolve(doc, field.get("V"));
    if (type === "Sig" && signature instanceof PdfDict) signed.push({ name: names.join("."), field, signature });
    const kids = resolve(doc, field.get("Kids"));
    if (kids instanceof PdfArray) for (const kid of kids) visit(kid, names, type);
  };
  const fields = form instanceof PdfDict ? resolve(doc, form.get("Fields")) : null;
  if (fields instanceof PdfArray) for (const field of fields) visit(field, [], null);
  return signed;
}
