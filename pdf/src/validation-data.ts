// Reads the validation data of a document (/DSS; ISO 32000-2, 12.8.4.3). It is not covered by the seal, so it may contain anything.

import { type PDF, PdfArray, PdfDict, type PdfObject, PdfStream } from "@libpdf/core";
import type { Budget } from "pako";
import { decodeStream } from "./content/filters.ts";
import { resolve } from "./doc.ts";

/** DER: certificates, certificate revocation lists, and OCSP responses. */
export type ValidationData = {
  readonly certificates: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
  readonly ocsps: readonly Uint8Array[];
};

// Two chains of certificates need about ten entries. The largest revocation lists in use have a few megabytes.
export const MAX_VALIDATION_ENTRIES = 500;
export const MAX_VALIDATION_BYTES = 32 * 1024 * 1024;

/** The data of a /DSS; empty if there is none. Entries that are not streams, repeated ones, and those beyond the limits are left out. */
export function readValidation(doc: { readonly pdf: PDF; readonly budget: Budget }, dss: PdfObject | undefined): ValidationData {
  const dict = resolve(doc, dss);
  const seen = new Set<PdfStream>();
  let bytesLeft = MAX_VALIDATION_BYTES;
  const list = (key: string): Uint8Array[] => {
    const items = dict instanceof PdfDict ? resolve(doc, dict.get(key)) : null;
    const read: Uint8Array[] = [];
    if (!(items instanceof PdfArray)) return read;
    for (let i = 0; i < items.length && seen.size < MAX_VALIDATION_ENTRIES && bytesLeft > 0; i++) {
      const stream = resolve(doc, items.at(i));
      if (!(stream instanceof PdfStream) || seen.has(stream)) continue;
      seen.add(stream);
      const bytes = decodeStream(doc, stream);
      bytesLeft -= bytes.length;
      if (bytesLeft >= 0) read.push(bytes);
    }
    return read;
  };
  return { certificates: list("Certs"), crls: list("CRLs"), ocsps: list("OCSPs") };
}
