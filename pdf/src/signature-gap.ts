// Appends a revision with a signature field and a gap for its content, and hashes everything else (ISO 32000-2, 12.8.1).

import { createHash } from "node:crypto";
import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream, PdfString } from "@libpdf/core";
import { type Budget, createBudget } from "pako";
import { resolve } from "./doc.ts";
import { loadForAppending, saveAppended } from "./incremental-save.ts";
import type { PlacedSeal } from "./seal.ts";

export type GapPlace = {
  /** Bytes to reserve for the content. */
  readonly room: number;
  /** 32 random bytes used to find the gap. */
  readonly marker: Uint8Array;
  readonly budget?: Budget;
  /** Called once the file is parsed. */
  readonly opened?: () => void;
};

const MARKER_BYTES = 32;

// As long as any offset can be: files are smaller than 10 GB.
const OFFSET_PLACEHOLDER = 9_999_999_999;
const BYTE_RANGE = `[0 ${OFFSET_PLACEHOLDER} ${OFFSET_PLACEHOLDER} ${OFFSET_PLACEHOLDER}]`;

// The annotation flags Print and Locked (ISO 32000-2, table 167): PAdES readers reject a signature that is hidden in print.
const PRINT_AND_LOCKED = 132;
// SignaturesExist and AppendOnly (table 225).
const SIG_FLAGS = 3;

/** The entries of a signature dictionary: `kind` comes before the gap, `texts` after it. */
export type SignatureEntries = {
  readonly kind: { readonly Type: string; readonly SubFilter: string };
  readonly texts: { readonly [key: string]: PdfObject };
};

/**
 * Appends a revision with an invisible signature field whose content is empty. The output begins with the unchanged input bytes. Throws
 * UnreadablePdf if the file is encrypted or too damaged to append to.
 */
export async function appendWithGap(bytes: Uint8Array, place: GapPlace, entries: SignatureEntries): Promise<PlacedSeal> {
  if (place.marker.length !== MARKER_BYTES) throw new Error(`the marker must have ${MARKER_BYTES} bytes`);
  const pdf = await loadForAppending(bytes, place.budget ?? createBudget());
  place.opened?.();
  addSignature(pdf, signatureDictionary(place, entries));
  const appended = await saveAppended(pdf, bytes);
  const gap = findGap(appended, bytes.length, place);
  writeByteRange(appended, bytes.length, gap);
  return { bytes: new Uint8Array(appended), gap, digest: digestAround(appended, gap) };
}

function addSignature(pdf: PDF, dictionary: PdfDict): void {
  const catalog = pdf.context.catalog.getDict();
  const form = ensureForm(pdf, catalog);
  const fields = ensureArray(pdf, form, "Fields");
  const page = firstPage(pdf, catalog.get("Pages"));
  const signature = pdf.context.register(dictionary);
  const nothing = PdfDict.of({ Type: PdfName.of("XObject"), Subtype: PdfName.of("Form"), BBox: emptyBox(), Resources: new PdfDict() });
  const widget = PdfDict.of({
    Type: PdfName.of("Annot"),
    Subtype: PdfName.of("Widget"),
    FT: PdfName.of("Sig"),
    T: PdfString.fromString(freeName(pdf, fields)),
    V: signature,
    F: PdfNumber.of(PRINT_AND_LOCKED),
    Rect: emptyBox(),
    // An empty appearance, because PDF/A-1 requires one of every field (ISO 19005-1, 6.9).
    AP: PdfDict.of({ N: pdf.context.register(new PdfStream(nothing, new Uint8Array(0))) }),
    ...(page === null ? {} : { P: page.ref }),
  });
  const field = pdf.context.register(widget);
  fields.push(field);
  if (page !== null) ensureArray(pdf, page.dict, "Annots").push(field);
  const flags = resolve({ pdf }, form.get("SigFlags"));
  form.set("SigFlags", PdfNumber.of((flags instanceof PdfNumber ? flags.value : 0) | SIG_FLAGS));
}

const emptyBox = (): PdfArray => new PdfArray([0, 0, 0, 0].map((side) => PdfNumber.of(side)));

// The order matters: the texts that the file's owner chose (name, reason) come after the gap, so they cannot be mistaken for the byte
// range.
function signatureDictionary(place: GapPlace, { kind, texts }: SignatureEntries): PdfDict {
  const contents = new Uint8Array(Math.max(place.room, MARKER_BYTES));
  contents.set(place.marker);
  return PdfDict.of({
    Type: PdfName.of(kind.Type),
    Filter: PdfName.of("Adobe.PPKLite"),
    SubFilter: PdfName.of(kind.SubFilter),
    ByteRange: PdfArray.of(PdfNumber.of(0), ...[1, 2, 3].map(() => PdfNumber.of(OFFSET_PLACEHOLDER))),
    Contents: PdfString.fromBytes(contents),
    ...texts,
  });
}

function ensureForm(pdf: PDF, catalog: PdfDict): PdfDict {
  const form = resolve({ pdf }, catalog.get("AcroForm"));
  if (form instanceof PdfDict) return form;
  const made = new PdfDict();
  catalog.set("AcroForm", pdf.context.register(made));
  return made;
}

function ensureArray(pdf: PDF, owner: PdfDict, key: string): PdfArray {
  const array = resolve({ pdf }, owner.get(key));
  if (array instanceof PdfArray) return array;
  const made = new PdfArray();
  owner.set(key, made);
  return made;
}

// Field names must be unique among siblings; an upload may already use our name.
function freeName(pdf: PDF, fields: PdfArray): string {
  const taken = new Set(
    fields.toArray().map((value) => {
      const field = resolve({ pdf }, value);
      const title = field instanceof PdfDict ? resolve({ pdf }, field.get("T")) : null;
      return title instanceof PdfString ? title.asString() : null;
    }),
  );
  let n = 1;
  while (taken.has(`Countersign_${n}`)) n += 1;
  return `Countersign_${n}`;
}

// The first page in the tree that is a separate object. A signed upload is kept unchanged, even with an unusual tree; if no such page is
// found, the field has no widget on any page, which a signature without an appearance does not need.
function firstPage(pdf: PDF, top: unknown): { ref: PdfRef; dict: PdfDict } | null {
  const seen = new Set<PdfDict>();
  const visit = (value: unknown): { ref: PdfRef; dict: PdfDict } | null => {
    const dict = value instanceof PdfRef ? resolve({ pdf }, value) : null;
    if (!(value instanceof PdfRef) || !(dict instanceof PdfDict) || dict instanceof PdfStream || seen.has(dict)) return null;
    seen.add(dict);
    const kids = resolve({ pdf }, dict.get("Kids"));
    if (!(kids instanceof PdfArray)) return { ref: value, dict };
    for (const kid of kids) {
      const page = visit(kid);
      if (page !== null) return page;
    }
    return null;
  };
  return visit(top);
}

// Searches for the random bytes, not for /Contents, which the rewritten page also has.
function findGap(file: Buffer, from: number, place: GapPlace): PlacedSeal["gap"] {
  const start = file.indexOf(`<${Buffer.from(place.marker).toString("hex").toUpperCase()}`, from, "latin1");
  const end = start + 2 * Math.max(place.room, MARKER_BYTES) + 2;
  if (start < 0 || file[end - 1] !== 0x3e) throw new Error("libpdf wrote the gap in an unexpected form");
  return { start, end };
}

function writeByteRange(file: Buffer, from: number, gap: PlacedSeal["gap"]): void {
  const at = file.lastIndexOf(BYTE_RANGE, gap.start, "latin1");
  const range = `[0 ${gap.start} ${gap.end} ${file.length - gap.end}]`;
  if (at < from || range.length > BYTE_RANGE.length) throw new Error("libpdf wrote the byte range in an unexpected form");
  file.write(range.padEnd(BYTE_RANGE.length), at, "latin1");
}

function digestAround(file: Uint8Array, gap: PlacedSeal["gap"]): Uint8Array {
  return new Uint8Array(createHash("sha256").update(file.subarray(0, gap.start)).update(file.subarray(gap.end)).digest());
}
