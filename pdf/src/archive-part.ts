import { type PDF, PdfStream } from "@libpdf/core";

// As in archive-claim.ts; the prefix is free.
const CLAIM = /xmlns:([\w.-]+)\s*=\s*["']http:\/\/www\.aiim\.org\/pdfa\/ns\/id\/["']/;

/** Whether the document claims PDF/A-1 in uncompressed metadata, which must stay uncompressed (ISO 19005-1, 6.7.2). */
export function claimsFirstPart(pdf: PDF): boolean {
  const entry = pdf.context.catalog.getDict().get("Metadata");
  const metadata = entry?.type === "ref" ? pdf.context.resolve(entry) : entry;
  if (!(metadata instanceof PdfStream) || metadata.has("Filter")) return false;
  const xmp = new TextDecoder().decode(metadata.data);
  const prefix = CLAIM.exec(xmp)?.[1]?.replaceAll(/[.-]/g, "\\$&");
  return prefix !== undefined && new RegExp(`\\b${prefix}:part(?:\\s*=\\s*["']|>)\\s*1\\b`).test(xmp);
}
