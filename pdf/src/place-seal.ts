// The first step of sealing, run in a worker: appends a revision with a gap for the signature, and hashes everything else (ISO 32000-2,
// 12.8.1). `seal.ts` fills the gap where the key is.

import { createHash } from "node:crypto";
import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef, PdfStream, PdfString } from "@libpdf/core";
import { type Budget, createBudget, useBudget } from "pako";
import { resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import type { PlacedSeal } from "./seal.ts";

export type SealPlace = {
  /** The name of the sealing organization. */
  readonly name: string;
  readonly reason: string;
  readonly at: Date;
  /** Bytes to reserve for the signature: `roomFor(certificates, …)`. */
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

/**
 * Appends a revision with an empty seal. The output begins with the unchanged input bytes. Throws UnreadablePdf if the file is encrypted
 * or too damaged to append to.
 * @example const placed = await placeSeal(bytes, { name: "Acme GmbH", reason, at, room: roomFor(chain, false), marker: randomBytes(32) })
 */
export async function placeSeal(bytes: Uint8Array, place: SealPlace): Promise<PlacedSeal> {
  if (place.marker.length !== MARKER_BYTES) throw new Error(`the marker must have ${MARKER_BYTES} bytes`);
  const pdf = await loadForAppending(bytes, place.budget ?? createBudget());
  place.opened?.();
  addSignature(pdf, place);
  const saved = await pdf.save({ incremental: true });
  // A copy, because libpdf may return a view into a larger buffer.
  const appended = Buffer.from(saved);
  if (appended.length <= bytes.length || appended.compare(bytes, 0, bytes.length, 0, bytes.length) !== 0) {
    throw new UnreadablePdf("unparseable", "the seal could not be appended");
  }
  const gap = findGap(appended, bytes.length, place);
  writeByteRange(appended, bytes.length, gap);
  return { bytes: new Uint8Array(appended), gap, digest: digestAround(appended, gap) };
}

async function loadForAppending(bytes: Uint8Array, budget: Budget): Promise<PDF> {
  useBudget(budget);
  const pdf = await PDF.load(bytes).catch((cause: unknown) => {
    throw new UnreadablePdf("unparseable", "libpdf failed", { cause });
  });
  if (budget.exceeded !== null) throw new UnreadablePdf("too_complex", "too many decoded bytes");
  if (pdf.isEncrypted) throw new UnreadablePdf("encrypted", "an encrypted file cannot be sealed");
  // If it cannot append, libpdf would rewrite the whole file and break older signatures.
  const blocker = pdf.canSaveIncrementally();
  if (blocker !== null) throw new UnreadablePdf("unparseable", `nothing can be appended: ${blocker}`);
  return pdf;
}

function addSignature(pdf: PDF, place: SealPlace): void {
  const catalog = pdf.context.catalog.getDict();
  const form = ensureForm(pdf, catalog);
  const fields = ensureArray(pdf, form, "Fields");
  const page = firstPage(pdf, catalog.get("Pages"));
  const signature = pdf.context.register(signatureDictionary(place));
  const widget = PdfDict.of({
    Type: PdfName.of("Annot"),
    Subtype: PdfName.of("Widget"),
    FT: PdfName.of("Sig"),
    T: PdfString.fromString(freeName(pdf, fields)),
    V: signature,
    F: PdfNumber.of(PRINT_AND_LOCKED),
    Rect: PdfArray.of(PdfNumber.of(0), PdfNumber.of(0), PdfNumber.of(0), PdfNumber.of(0)),
    ...(page === null ? {} : { P: page.ref }),
  });
  const field = pdf.context.register(widget);
  fields.push(field);
  if (page !== null) ensureArray(pdf, page.dict, "Annots").push(field);
  const flags = resolve({ pdf }, form.get("SigFlags"));
  form.set("SigFlags", PdfNumber.of((flags instanceof PdfNumber ? flags.value : 0) | SIG_FLAGS));
}

// The order matters: the texts that the file's owner chose (name, reason) come after the gap, so they cannot be mistaken for the byte
// range.
function signatureDictionary(place: SealPlace): PdfDict {
  const contents = new Uint8Array(Math.max(place.room, MARKER_BYTES));
  contents.set(place.marker);
  return PdfDict.of({
    Type: PdfName.of("Sig"),
    Filter: PdfName.of("Adobe.PPKLite"),
    SubFilter: PdfName.of("ETSI.CAdES.detached"),
    ByteRange: PdfArray.of(PdfNumber.of(0), ...[1, 2, 3].map(() => PdfNumber.of(OFFSET_PLACEHOLDER))),
    Contents: PdfString.fromBytes(contents),
    M: PdfString.fromString(pdfDate(place.at)),
    Name: PdfString.fromString(place.name),
    Reason: PdfString.fromString(place.reason),
  });
}

// ISO 32000-2, 7.9.4: D:20260102030405Z
const pdfDate = (at: Date): string => `D:${at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;

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
function findGap(file: Buffer, from: number, place: SealPlace): PlacedSeal["gap"] {
  const start = file.indexOf(`<${Buffer.from(place.marker).toString("hex").toUpperCase()}`, from, "latin1");
  const end = start + 2 * Math.max(place.room, MARKER_BYTES) + 2;
  if (start < 0 || file[end - 1] !== 0x3e) throw new Error("libpdf wrote the seal in an unexpected form");
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
