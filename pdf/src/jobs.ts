// The jobs of a worker. Each parses the file once. Input and output are bytes and plain data, so that they can cross a thread boundary.

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createBudget } from "pako";
import { type Area, type Offset, placeAgainst } from "./area.ts";
import { combine, emptyPdf } from "./combine.ts";
import { compareLook, type PageWarning } from "./compare-look.ts";
import { type ContentFacts, contentFacts } from "./content/page-facts.ts";
import { type Doc, save } from "./doc.ts";
import { AnchorFault, type AnchorFaultDetail, NotAPdf, NotWritten, TagFault, UnreadablePdf } from "./errors.ts";
import { type FileMarks, marksOfBytes, marksOfFile } from "./file-marks.ts";
import { findAll } from "./find-all.ts";
import type { FoundTags, TagField, TagWarning } from "./find-tags.ts";
import { type AnchorQuery, type AnchorResult, findAnchors, pagesWithText } from "./find-text.ts";
import { type Fingerprint, type FingerprintRequest, fingerprint } from "./fingerprint.ts";
import { imageToPdf } from "./image-to-pdf.ts";
import { isBlankPng, rewritePng } from "./images/read-png.ts";
import { mayKeepBytes } from "./keep-signed.ts";
import { describe, openPdf, type PageFacts } from "./open.ts";
import { displayedPage } from "./page-tree.ts";
import { placeSeal, type SealPlace } from "./place-seal.ts";
import { placeTimeStamp } from "./place-time-stamp.ts";
import { placeValidation } from "./place-validation.ts";
import { type Flattened, removeTagsAndFlatten } from "./remove-tags-and-flatten.ts";
import { isBlankPage, type PageImage, type PageText, pageText, type RenderWidth, renderPage } from "./render.ts";
import { expectedChanges } from "./sanitize/expected-changes.ts";
import { assertClean, type SanitizeWarning, sanitize } from "./sanitize.ts";
import type { PlacedSeal } from "./seal.ts";
import type { GapPlace } from "./signature-gap.ts";
import { type Kind, sniff } from "./sniff.ts";
import { addSignaturePage, type PageSigner, type SignerAreas } from "./stamp/add-signature-page.ts";
import { labelPages } from "./stamp/label-pages.ts";
import { type CopyTexts, markCopy } from "./stamp/mark-copy.ts";
import { sharedFonts } from "./stamp/shared-fonts.ts";
import { type Mark, type Stamping, stamp } from "./stamp.ts";
import { modelOf } from "./typeset/model.ts";
import { type Typeset, typeset } from "./typeset.ts";
import type { ValidationData } from "./validation-data.ts";
import { type SealReport, type VerifyOptions, verifySeals } from "./verify-seal.ts";

/** An anchor to find, and the position of a field relative to it; without `place`, the field covers the match. */
export type AnchorPlacement = AnchorQuery & { readonly place?: Offset };

export type PlacedAnchor = {
  readonly page: number;
  readonly match: Area;
  readonly matches: number;
  /** The field's area, clipped to the page. */
  readonly area: Area;
  readonly area_clipped: boolean;
};

export type Trust = Omit<VerifyOptions, "budget" | "opened">;

export type IngestRequest = {
  /**
   * template: an invalid tag throws a TagFault. document: an invalid tag, or one that is only a name, stays text, with a warning.
   * discard: tags are removed and their fields and errors ignored, because the request defines its own fields.
   */
  readonly tags: "template" | "document" | "discard";
  /** Converts a PNG or JPEG to a page; otherwise images throw NotAPdf. */
  readonly images?: boolean;
  readonly anchors?: readonly AnchorPlacement[];
  /** Verifies and reports the signatures in the upload with these roots; without it, no signatures are reported. */
  readonly verify?: Trust;
  /** Keeps a signed upload unchanged if that is safe (`mayKeepBytes`). */
  readonly keep_signed?: boolean;
  /** Printed at the upper edge of every page. An upload with a label is never kept unchanged. */
  readonly label?: string;
};

/** annotations_removed: some annotations have no appearance, and viewers have no drawing of their own for their kind. */
export type IngestWarning = SanitizeWarning | "tag_not_understood" | "annotations_removed";

export type Ingested = {
  /** The bytes to store: verified clean, or the upload itself if `kept`. */
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes` in lower-case hex, computed here so that the caller need not. */
  readonly sha256: string;
  readonly kind: Kind;
  /** What identifies the upload itself, which is not kept if it had to be cleaned. */
  readonly marks: FileMarks;
  readonly kept: boolean;
  readonly pages: readonly (PageFacts & ContentFacts)[];
  /** Number of revisions in the upload. */
  readonly revisions: number;
  readonly signatures: number;
  readonly seals: readonly SealReport[];
  readonly removed: { readonly [what: string]: number };
  /** Whether the form is part of the pages. Always true; older records say false for forms that could not be drawn. */
  readonly flattened: boolean;
  readonly warnings: readonly IngestWarning[];
  readonly page_warnings: readonly PageWarning[];
  /** One per occurrence, for tags that were used. */
  readonly tag_warnings: readonly TagWarning[];
  readonly fields: readonly TagField[];
  readonly roles: readonly string[];
  /** In the order of `anchors`. */
  readonly anchors: readonly PlacedAnchor[];
};

/** The result of processing an upload into a file; the bytes are not in memory. */
export type IngestedFile = Omit<Ingested, "bytes"> & { readonly size: number };

export type Prepared = { readonly bytes: Uint8Array; readonly areas: readonly SignerAreas[]; readonly pages: readonly PageFacts[] };

/** `title` is that of the bookmark. */
export type CombinePart = { readonly size: number; readonly title: string };

/** `counts`: how many pages each part has. */
export type CombinedFile = { readonly bytes: Uint8Array; readonly counts: readonly number[]; readonly pages: readonly PageFacts[] };

export type Finished = Stamping & { readonly bytes: Uint8Array };

/** The request and the result of each job, apart from the bytes. */
export type Jobs = {
  ingest: { request: IngestRequest; answer: Ingested };
  /** The same, but writes to a file: passing 50 MB to the calling thread would leave 50 MB of garbage there and delay its other work. */
  ingestToFile: { request: IngestRequest & { readonly into: string }; answer: IngestedFile };
  anchors: { request: { readonly anchors: readonly AnchorPlacement[] }; answer: readonly PlacedAnchor[] };
  /**
   * Adds signature pages for signers without a field. `alone`: they become a document of their own, in the size of the first page. `label` is
   * printed at the upper edge of the added pages.
   */
  prepare: { request: { readonly signers: readonly PageSigner[]; readonly alone?: boolean; readonly label?: string }; answer: Prepared };
  /** Joins documents that were cleaned and flattened. The bytes are the documents one after the other, in the sizes of `parts`. */
  combine: { request: { readonly parts: readonly CombinePart[] }; answer: CombinedFile };
  finish: { request: { readonly marks: readonly Mark[] }; answer: Finished };
  /** Renders one page as `finish` would produce it. */
  preview: { request: { readonly marks: readonly Mark[]; readonly page: number; readonly width_px: RenderWidth }; answer: PageImage };
  copy: { request: CopyTexts; answer: { readonly bytes: Uint8Array; readonly pages: number } };
  placeSeal: { request: Omit<SealPlace, "budget" | "opened">; answer: PlacedSeal };
  /** Appends the data that verifies a seal in the far future. */
  placeValidation: { request: ValidationData; answer: { readonly bytes: Uint8Array } };
  placeTimeStamp: { request: Omit<GapPlace, "budget" | "opened">; answer: PlacedSeal };
  verify: { request: Trust; answer: readonly SealReport[] };
  /** Opens a PDF independently, as a recipient would. `text` is searched on every page. */
  inspect: { request: { readonly text?: string }; answer: Inspected };
  /** What identifies a document. */
  fingerprint: { request: FingerprintRequest; answer: Fingerprint };
  page: { request: { readonly page: number; readonly width_px: RenderWidth }; answer: PageImage };
  /** Whether a page is as light as paper. */
  blank: { request: { readonly page: number }; answer: { readonly blank: boolean } };
  /** `fields` are the areas of fields: recognized text of a scan is not read there. */
  text: { request: { readonly page: number; readonly fields?: readonly Area[] }; answer: PageText };
  /** A PNG that is used as a signature: checked completely and rewritten without invisible data. Throws NotAPdf if it is not a PNG. */
  picture: {
    request: Record<string, never>;
    answer: { readonly bytes: Uint8Array; readonly width: number; readonly height: number; readonly blank: boolean };
  };
  /** The bytes are the model as JSON, so that a waiting model counts by its size like any other job. `label` is printed on every page. */
  typeset: { request: { readonly label?: string }; answer: Typeset };
};

export type Inspected = {
  readonly pages: number;
  readonly signatures: number;
  readonly revisions: number;
  /** Number of pages with the text; all pages if no text is given. */
  readonly pages_with_text: number;
};

export type JobKind = keyof Jobs;

/** `opened` is called once the file is parsed; until then a shorter deadline applies. */
type Job<K extends JobKind> = (bytes: Uint8Array, request: Jobs[K]["request"], opened: () => void) => Promise<Jobs[K]["answer"]>;

// An audit trail of 10,000 entries has 1.3 MB and takes three seconds. Larger models would hit the deadline only after half a minute.
const MAX_MODEL_BYTES = 8 * 1024 * 1024;

export const jobs: { readonly [K in JobKind]: Job<K> } = {
  ingest,
  async ingestToFile(bytes, { into, ...request }, opened) {
    const { bytes: clean, ...taken } = await ingest(bytes, request, opened);
    writeInto(into, clean);
    return { ...taken, size: clean.length };
  },
  async anchors(bytes, { anchors }, opened) {
    const doc = await openPdf(bytes, createBudget());
    opened();
    return placeAnchors(anchors, findAnchors(doc, anchors));
  },
  async prepare(bytes, { signers, alone = false, label }, opened) {
    const doc = await openPdf(bytes, createBudget());
    opened();
    const before = alone ? withoutPages(doc) : doc;
    const first = before.pages.length;
    const longer = addSignaturePage(before, signers, sharedFonts(), doc);
    if (label !== undefined) labelPages(longer.doc, label, sharedFonts(), first);
    return { bytes: await save(longer.doc), areas: longer.areas, pages: describe(longer.doc).pages };
  },
  combine: combineParts,
  finish,
  async preview(bytes, { marks, page, width_px }, opened) {
    const stamped = await finish(bytes, { marks }, opened);
    return renderPage(stamped.bytes, page, width_px);
  },
  async copy(bytes, texts, opened) {
    const doc = await openPdf(bytes, createBudget());
    opened();
    markCopy(doc, texts, sharedFonts());
    return { bytes: await save(doc), pages: doc.pages.length };
  },
  placeSeal: (bytes, place, opened) => placeSeal(bytes, { ...place, opened }),
  placeValidation: (bytes, place, opened) => placeValidation(bytes, { ...place, opened }),
  placeTimeStamp: (bytes, place, opened) => placeTimeStamp(bytes, { ...place, opened }),
  verify: (bytes, trust, opened) => verifySeals(bytes, { ...trust, opened }),
  inspect,
  async fingerprint(bytes, request, opened) {
    const doc = await openPdf(bytes, createBudget());
    opened();
    return fingerprint(doc, request);
  },
  page: (bytes, { page, width_px }) => renderPage(bytes, page, width_px),
  blank: async (bytes, { page }) => ({ blank: await isBlankPage(bytes, page) }),
  text: (bytes, { page, fields }) => pageText(bytes, page, fields),
  async picture(bytes) {
    if (sniff(bytes) !== "png") throw new NotAPdf("the image of a signature is not a PNG");
    const rewritten = await rewritePng(bytes);
    return { ...rewritten, blank: isBlankPng(rewritten.bytes) };
  },
  async typeset(bytes, { label }) {
    if (bytes.length > MAX_MODEL_BYTES) throw new UnreadablePdf("too_complex", "a document of more than 8 MB of text");
    const set = await typeset(modelOf(bytes), sharedFonts());
    return label === undefined ? set : { ...set, bytes: await labelled(await openPdf(set.bytes, createBudget()), label) };
  },
};

/** A document without pages, to which pages of the same job are added. */
function withoutPages({ budget }: Doc): Doc {
  const { pdf } = emptyPdf();
  return { pdf, original: new Uint8Array(), pages: [], catalog: pdf.context.catalog.getDict(), info: null, budget };
}

async function combineParts(
  bytes: Uint8Array,
  { parts }: { readonly parts: readonly CombinePart[] },
  opened: () => void,
): Promise<CombinedFile> {
  const budget = createBudget();
  const docs: { doc: Doc; title: string }[] = [];
  let at = 0;
  for (const { size, title } of parts) {
    docs.push({ doc: await openPdf(bytes.subarray(at, at + size), budget), title });
    at += size;
  }
  opened();
  const before = docs.flatMap(({ doc }) => doc.pages.map(({ dict }) => displayedPage(doc, dict)));
  const { bytes: combined, counts } = await combine(docs);
  // Read again as its recipients do: a page that is lost or has another size is not sent.
  const again = await openPdf(combined, budget);
  await assertClean(again, before);
  return { bytes: combined, counts, pages: describe(again).pages };
}

async function inspect(bytes: Uint8Array, { text }: { readonly text?: string }, opened: () => void): Promise<Inspected> {
  const doc = await openPdf(bytes, createBudget());
  opened();
  const { pages, signatures, revisions } = describe(doc);
  if (text === undefined) return { pages: pages.length, signatures, revisions, pages_with_text: pages.length };
  return { pages: pages.length, signatures, revisions, pages_with_text: pagesWithText(doc, text).length };
}

// Not "wx", because a job that was terminated for memory runs once more.
function writeInto(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes, { mode: 0o600 });
  } catch (error) {
    throw new NotWritten((error as NodeJS.ErrnoException).code ?? "unknown", { cause: error });
  }
}

async function finish(bytes: Uint8Array, { marks }: { readonly marks: readonly Mark[] }, opened: () => void): Promise<Finished> {
  const doc = await openPdf(bytes, createBudget());
  opened();
  const { stamped, warnings } = await stamp(doc, marks, sharedFonts());
  return { bytes: await save(doc), stamped, warnings };
}

async function ingest(upload: Uint8Array, request: IngestRequest, opened: () => void): Promise<Ingested> {
  const taken = await takeInUnnamed(upload, request, opened);
  return { ...taken, sha256: createHash("sha256").update(taken.bytes).digest("hex") };
}

type Unnamed = Omit<Ingested, "sha256">;

async function takeInUnnamed(upload: Uint8Array, request: IngestRequest, opened: () => void): Promise<Unnamed> {
  const kind = sniff(upload);
  if (kind === null || (kind !== "pdf" && request.images !== true)) throw new NotAPdf(`the file is ${kind ?? "of an unknown type"}`);
  const bytes = kind === "pdf" ? upload : await imageToPdf(upload);
  const doc = await openPdf(bytes, createBudget());
  opened();
  const { signatures, revisions } = describe(doc);
  const seals = request.verify === undefined || signatures === 0 ? [] : await verifySeals(bytes, { ...request.verify, budget: doc.budget });
  const marks = kind === "pdf" ? marksOfFile(doc) : marksOfBytes(upload);
  const upTo = { kind, marks, signatures, revisions, seals };
  if (request.keep_signed === true && request.label === undefined && signatures > 0) {
    const found = findAll(doc, request.anchors ?? []);
    const chosen = chooseTags(found.tags, request.tags);
    if (await mayKeepBytes(doc, { carries_tag: chosen.spans.length > 0 })) {
      const anchors = placeAnchors(request.anchors ?? [], found.anchors);
      const { fields, roles, warnings, tag_warnings } = chosen;
      return {
        ...upTo,
        bytes,
        kept: true,
        pages: pagesOf(doc, found.facts),
        removed: {},
        flattened: true,
        warnings,
        page_warnings: [],
        tag_warnings,
        fields,
        roles,
        anchors,
      };
    }
  }
  return { ...upTo, kept: false, ...(await cleaned(doc, request)) };
}

async function cleaned(
  doc: Doc,
  request: IngestRequest,
): Promise<Omit<Unnamed, "kind" | "marks" | "kept" | "signatures" | "revisions" | "seals">> {
  const expected = expectedChanges(doc);
  const clean = await sanitize(doc);
  const found = findAll(clean.doc, request.anchors ?? []);
  const { fields, roles, spans, warnings, tag_warnings } = chooseTags(found.tags, request.tags);
  const anchors = placeAnchors(request.anchors ?? [], found.anchors);
  const final = await removeTagsAndFlatten(clean, spans, found.hidden);
  const page_warnings = await compareLook(doc, final, expected, clean.drawn);
  const pages = pagesOf(final.doc, factsAfter(found.facts, final));
  return {
    bytes: request.label === undefined ? final.bytes : await labelled(final.doc, request.label),
    pages,
    page_warnings,
    removed: clean.removed,
    flattened: true,
    warnings: [...clean.warnings, ...warnings, ...final.warnings],
    tag_warnings,
    fields,
    roles,
    anchors,
  };
}

/** The same document with a label on every page, read again as its recipients do. Changes `doc`. */
async function labelled(doc: Doc, label: string): Promise<Uint8Array> {
  const before = doc.pages.map(({ dict }) => displayedPage(doc, dict));
  labelPages(doc, label, sharedFonts());
  const bytes = await save(doc);
  await assertClean(await openPdf(bytes, doc.budget), before);
  return bytes;
}

// A page may have no text once its tags and its hidden content are removed. Other pages are as they were read.
function factsAfter(facts: readonly ContentFacts[], { doc, tags, hidden }: Flattened): ContentFacts[] {
  const pages = doc.pages.filter(({ index }) => tags.has(index + 1) || hidden.pages.includes(index + 1));
  const again = new Map(contentFacts(doc, pages).map((own, at) => [pages[at]?.index, own]));
  return facts.map((own, index) => again.get(index) ?? own);
}

function pagesOf(doc: Doc, facts: readonly ContentFacts[]): (PageFacts & ContentFacts)[] {
  return describe(doc).pages.map((page, index) => ({ ...page, ...(facts[index] as ContentFacts) }));
}

type ChosenTags = Pick<FoundTags, "fields" | "roles" | "spans"> & Pick<Ingested, "warnings" | "tag_warnings">;

function chooseTags({ fields, roles, spans, faults, warnings: found }: FoundTags, tags: IngestRequest["tags"]): ChosenTags {
  if (tags === "discard") return { fields: [], roles: [], spans, warnings: [], tag_warnings: [] };
  if (tags === "template") {
    if (faults.length > 0) throw new TagFault(faults.map(({ code, message }) => ({ code, message })));
    return { fields, roles, spans, warnings: [], tag_warnings: found };
  }
  const understood = spans.filter((span) => span.field !== null && !span.bare);
  const placed = understood.flatMap((span) => fields[span.field as number] ?? []);
  const stated = new Set(placed.filter((field) => field.role_stated).map((field) => field.role));
  const warnings: IngestWarning[] = understood.length < spans.length ? ["tag_not_understood"] : [];
  const counts = new Set(understood.map((span) => span.field));
  const tag_warnings = found.filter(({ field }) => field === null || counts.has(field));
  return { fields: placed, roles: [...stated], spans: understood, warnings, tag_warnings };
}

function placeAnchors(asked: readonly AnchorPlacement[], results: readonly AnchorResult[]): PlacedAnchor[] {
  const faults: AnchorFaultDetail[] = [];
  const placed: PlacedAnchor[] = [];
  for (const [field, result] of results.entries()) {
    if (!result.found) {
      faults.push({ field, fault: result.fault, matches: result.matches });
      continue;
    }
    const { page, match, matches } = result;
    const place = asked[field]?.place;
    const against = place === undefined ? { area: match, clipped: false } : placeAgainst(match, place);
    if (against === null) faults.push({ field, fault: "area_outside_page", matches });
    else placed.push({ page, match, matches, area: against.area, area_clipped: against.clipped });
  }
  if (faults.length > 0) throw new AnchorFault(faults);
  return placed;
}
