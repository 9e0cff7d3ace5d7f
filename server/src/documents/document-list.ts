import { Type } from "typebox";
import { about, idOf, named, nullable } from "../http/shapes.ts";
import type { DocumentId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Pages } from "./pages.ts";

/** The documents of an envelope or a template: their order, their limits and how responses show them. */

/** Enough for a contract with its annexes. Each document is a file to open whenever the envelope is sent or signed. */
export const MAX_DOCUMENTS = 20;
/** As much as one file can have, because everything is combined into one PDF. */
const MAX_TOTAL_BYTES = 52_428_800;
/** As many as one PDF can have. */
const MAX_TOTAL_PAGES = 2_000;

export interface NumberedDocument {
  readonly document_id: DocumentId;
  readonly document_no: number;
  readonly name: string;
  readonly pages: Pages;
  /** of its PDF */
  readonly pdf_size: number;
}

type Measured = Pick<NumberedDocument, "pages" | "pdf_size">;

export function refuseTooLarge(documents: readonly Measured[]): void {
  const bytes = documents.reduce((sum, { pdf_size }) => sum + pdf_size, 0);
  const pages = documents.reduce((sum, one) => sum + one.pages.length, 0);
  if (documents.length <= MAX_DOCUMENTS && bytes <= MAX_TOTAL_BYTES && pages <= MAX_TOTAL_PAGES) return;
  throw new Problem("envelope_too_large", `${documents.length} documents, ${bytes} bytes, ${pages} pages`);
}

/** Throws document_not_found. */
export function findDocument<D extends Pick<NumberedDocument, "document_id">>(documents: readonly D[], document_id: DocumentId): D {
  const document = documents.find((one) => one.document_id === document_id);
  if (document === undefined) throw new Problem("document_not_found");
  return document;
}

/** The document of a missing or foreign envelope is missing like any other, so that both get the same answer. */
export async function orNoDocument<T>(found: Promise<T>): Promise<T> {
  try {
    return await found;
  } catch (cause) {
    const isMissing = cause instanceof Problem && (cause.code === "envelope_not_found" || cause.code === "template_not_found");
    throw isMissing ? new Problem("document_not_found", "", { cause }) : cause;
  }
}

/** A document that gets another number. */
export interface Renumbered {
  readonly from: number;
  readonly to: number;
}

/** What changes when a document moves to `to`; a number beyond the end means last. */
export function moveDocument(documents: readonly NumberedDocument[], document_id: DocumentId, to: number): Renumbered[] {
  const moved = findDocument(documents, document_id);
  const others = documents.filter((one) => one !== moved);
  return renumber([...others.slice(0, to - 1), moved, ...others.slice(to - 1)]);
}

/** What changes when the documents are numbered from 1 in this order. */
export const renumber = (inOrder: readonly Pick<NumberedDocument, "document_no">[]): Renumbered[] =>
  inOrder.map(({ document_no }, index) => ({ from: document_no, to: index + 1 })).filter(({ from, to }) => from !== to);

/** The document that contains a page, counted through all documents, and the page within it; null beyond the end. */
export function placeOfPage<D extends Pick<NumberedDocument, "pages">>(
  documents: readonly D[],
  page: number,
): { document: D; page: number } | null {
  let before = 0;
  for (const document of documents) {
    if (page <= before + document.pages.length) return { document, page: page - before };
    before += document.pages.length;
  }
  return null;
}

/** Whether fields that were placed on the documents as `seen` belong to them as they are `now`. */
export function refuseOtherDocuments(seen: readonly Placeable[], now: readonly Placeable[]): void {
  const told = (documents: readonly Placeable[]) =>
    JSON.stringify(documents.map(({ document_id, document_no, pdf_sha256 }) => [document_id, document_no, pdf_sha256]));
  if (told(seen) !== told(now)) throw new Problem("fields_changed", "the documents have changed");
}

interface Placeable {
  readonly document_id: DocumentId;
  readonly document_no: number;
  readonly pdf_sha256: string | null;
}

export const DocumentView = named(
  "EnvelopeDocument",
  Type.Object({
    document_id: idOf("document"),
    document_no: about(Type.Integer(), "Its place in the order, from 1. Fields name their document by it"),
    name: Type.String(),
    pages: Type.Integer(),
    hash: about(Type.String(), "SHA-256 of the stored file"),
    size: about(Type.Integer(), "Of the stored file, in bytes"),
    contentType: Type.String(),
    first_page: about(nullable(Type.Integer()), "Where it begins in the document that was sent; null before that"),
  }),
);
