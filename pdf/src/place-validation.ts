// Appends validation data to a sealed file: the certificates and revocation data that a reader needs to verify the seal after its
// certificate has expired (PAdES B-LT; ISO 32000-2, 12.8.4.3; ETSI EN 319 142-1, 5.4.2). Data for a single signature (/VRI) is not
// written, because readers must not depend on it.

import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream } from "@libpdf/core";
import { type Budget, createBudget } from "pako";
import { sameBytes } from "./cms/der.ts";
import { resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { loadForAppending, saveAppended } from "./incremental-save.ts";
import { MAX_VALIDATION_BYTES, MAX_VALIDATION_ENTRIES, readValidation, type ValidationData } from "./validation-data.ts";

/** DER: certificates, certificate revocation lists, and OCSP responses (the whole OCSPResponse). */
export type ValidationPlace = ValidationData & {
  readonly budget?: Budget;
  /** Called once the file is parsed. */
  readonly opened?: () => void;
};

// The extension that declares /DSS in a file before PDF 2.0 (ETSI EN 319 142-1, 5.6), with the level that other producers write.
const EXTENSION = "ESIC";
const EXTENSION_LEVEL = 5;

const LISTS = { Certs: "certificates", CRLs: "crls", OCSPs: "ocsps" } as const;

/**
 * Appends a revision with the data. What an earlier /DSS has is kept, and nothing is written twice. The output begins with the unchanged
 * input bytes. Throws UnreadablePdf if the file is encrypted or too damaged to append to, or would have too much validation data.
 * @example const { bytes } = await placeValidation(sealed, { certificates: [root, authority], crls: [rootCrl], ocsps: [] })
 */
export async function placeValidation(bytes: Uint8Array, place: ValidationPlace): Promise<{ readonly bytes: Uint8Array }> {
  const budget = place.budget ?? createBudget();
  const pdf = await loadForAppending(bytes, budget);
  place.opened?.();
  const catalog = pdf.context.catalog.getDict();
  const earlier = readValidation({ pdf, budget }, catalog.get("DSS"));
  assertBounded(earlier, place);
  const old = resolve({ pdf }, catalog.get("DSS"));
  const dss = old instanceof PdfDict ? old.clone() : PdfDict.of({ Type: PdfName.of("DSS") });
  for (const [key, kind] of Object.entries(LISTS)) addStreams(pdf, dss, key, missing(place[kind], earlier[kind]));
  catalog.set("DSS", pdf.context.register(dss));
  declare(pdf, catalog);
  return { bytes: new Uint8Array(await saveAppended(pdf, bytes)) };
}

function missing(wanted: readonly Uint8Array[], present: readonly Uint8Array[]): Uint8Array[] {
  const added: Uint8Array[] = [];
  for (const each of wanted) if (![...present, ...added].some((known) => sameBytes(known, each))) added.push(each);
  return added;
}

function assertBounded(earlier: ValidationData, added: ValidationData): void {
  const all = Object.values(LISTS).flatMap((kind) => [...earlier[kind], ...added[kind]]);
  const size = all.reduce((sum, { length }) => sum + length, 0);
  if (all.length > MAX_VALIDATION_ENTRIES || size > MAX_VALIDATION_BYTES) {
    throw new UnreadablePdf("too_complex", "more validation data than a seal needs");
  }
}

function addStreams(pdf: PDF, dss: PdfDict, key: string, items: readonly Uint8Array[]): void {
  if (items.length === 0) return;
  const old = resolve({ pdf }, dss.get(key));
  const refs = items.map((item): PdfObject => pdf.context.register(new PdfStream(new PdfDict(), Uint8Array.from(item))));
  dss.set(key, new PdfArray([...(old instanceof PdfArray ? old.toArray() : []), ...refs]));
}

function declare(pdf: PDF, catalog: PdfDict): void {
  const old = resolve({ pdf }, catalog.get("Extensions"));
  if (old instanceof PdfDict && old.has(EXTENSION)) return;
  const extensions = old instanceof PdfDict ? old.clone() : new PdfDict();
  extensions.set(EXTENSION, PdfDict.of({ BaseVersion: PdfName.of("1.7"), ExtensionLevel: PdfNumber.of(EXTENSION_LEVEL) }));
  catalog.set("Extensions", extensions);
}
