import type { PdfPool } from "@countersign/pdf/pool";
import { firstPages } from "../documents/first-pages.ts";
import type { Pages } from "../documents/pages.ts";
import { asPdfProblem } from "../documents/pdf-problems.ts";
import { readStored } from "../documents/read-stored.ts";
import type { OrgId } from "../shared/ids.ts";
import type { BlobName } from "../storage/blob-store.ts";
import { storeBlob } from "../storage/store-blob.ts";
import type { EnvelopeDocument, EnvelopeField, FrozenDocument } from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";

/** Several documents as the one that everyone sees and signs. Everything is stored, but not yet recorded. */
export interface Combined {
  readonly pdf: BlobName;
  readonly pages: Pages;
  /** each document as it is in there, and where it begins */
  readonly documents: readonly FrozenDocument[];
  /** the last one, for signers without a place to sign; null if everyone has one */
  readonly signaturePage: SignaturePage | null;
  /** the signatures of signed uploads that are lost, because signing draws on the pages */
  readonly signatures_removed: number;
}

export interface SignaturePage {
  readonly document_no: number;
  readonly first_page: number;
  readonly pdf: BlobName;
  readonly pages: Pages;
  readonly fields: readonly EnvelopeField[];
}

/** A signer who gets a place on the signature page. */
export interface Unplaced {
  readonly name: string;
  readonly role: string;
}

export const SIGNATURE_PAGE = "Signature page";

const turnOf = (org: OrgId) => ({ key: org, priority: "interactive", give_up_bytes: true }) as const;

/**
 * Combines the documents in order, with a bookmark for each. A signed upload is never drawn on, so a clean version of it is made first.
 * The signature page is a document of its own, so that none of the others changes.
 */
export async function combineDocuments(
  deps: EnvelopeDeps,
  org: OrgId,
  documents: readonly EnvelopeDocument[],
  signers: readonly Unplaced[],
): Promise<Combined> {
  const cleaned: Cleaned[] = [];
  for (const document of documents) cleaned.push(await cleanedDocument(deps, org, document));
  const last = signers.length === 0 ? null : await signaturePageFor(deps, org, cleaned, signers);
  const parts = [
    ...cleaned.map(({ bytes, document }) => ({ bytes, title: document.name })),
    ...(last === null ? [] : [{ bytes: last.bytes, title: SIGNATURE_PAGE }]),
  ];
  const { bytes } = await joinFiles(deps.pdf, org, parts);
  const begins = firstPages([...cleaned.map(({ pages }) => pages.length), 0]);
  return {
    pdf: await storeBlob(deps.storage, org, bytes),
    pages: [...cleaned.flatMap(({ pages }) => pages), ...(last?.pages ?? [])],
    documents: cleaned.map(({ document: { document_no }, pdf_sha256, pages }, index) => ({
      document_no,
      pdf_sha256,
      pages,
      first_page: begins[index] ?? 1,
    })),
    signaturePage:
      last === null
        ? null
        : {
            document_no: cleaned.length + 1,
            first_page: begins[cleaned.length] ?? 1,
            pdf: await storeBlob(deps.storage, org, last.bytes),
            pages: last.pages,
            fields: signatureFields(last.areas, cleaned.length + 1),
          },
    signatures_removed: cleaned.reduce((sum, one) => sum + one.signatures_removed, 0),
  };
}

/** One PDF from several. */
export function joinFiles(
  pdf: Pick<PdfPool, "combine">,
  org: OrgId,
  parts: readonly { readonly bytes: Uint8Array; readonly title: string }[],
): ReturnType<PdfPool["combine"]> {
  const all = Buffer.concat(parts.map(({ bytes }) => bytes));
  const request = { parts: parts.map(({ bytes, title }) => ({ size: bytes.length, title })) };
  // A Buffer can be a view of memory that others use, which cannot be given up.
  return pdf.combine(new Uint8Array(all), request, turnOf(org)).catch(asPdfProblem);
}

interface Cleaned {
  readonly document: EnvelopeDocument;
  readonly bytes: Uint8Array;
  readonly pdf_sha256: string;
  readonly pages: Pages;
  readonly signatures_removed: number;
}

async function cleanedDocument(deps: EnvelopeDeps, org: OrgId, document: EnvelopeDocument): Promise<Cleaned> {
  const { pdf_sha256, pages, byte_for_byte } = document;
  const bytes = await readStored(deps, org, pdf_sha256, "document_unavailable");
  if (!byte_for_byte) return { document, bytes, pdf_sha256, pages, signatures_removed: 0 };
  const cleaned = await deps.pdf.ingest(bytes, { tags: "discard" }, turnOf(org)).catch(asPdfProblem);
  const stored = await storeBlob(deps.storage, org, cleaned.bytes);
  const { signatures } = cleaned;
  return { document, bytes: cleaned.bytes, pdf_sha256: stored.sha256, pages: cleaned.pages, signatures_removed: signatures };
}

async function signaturePageFor(deps: EnvelopeDeps, org: OrgId, [first]: readonly Cleaned[], signers: readonly Unplaced[]) {
  if (first === undefined) throw new Error("an envelope without documents");
  const asked = signers.map(({ name, role }) => ({ signer: role, label: `${name} (${role})` }));
  const like = new Uint8Array(first.bytes);
  const made = await deps.pdf.prepare(like, { signers: asked, alone: true }, turnOf(org)).catch(asPdfProblem);
  const pages = made.pages.map((page) => ({ ...page, has_text: true, scan_dpi: null }));
  return { bytes: made.bytes, pages, areas: made.areas };
}

/** A signature and a date for each signer. */
export function signatureFields(areas: readonly SignerAreas[], document_no: number): EnvelopeField[] {
  return areas.flatMap(({ signer: role, signature, date }): EnvelopeField[] => {
    const common = {
      ...{ role, required: true, readonly: false, default_value: null, options: null, settings: {}, field_key: null },
      ...{ anchor_match: null, prefilled: null, document_no },
    };
    return [
      { ...common, name: "Signature", type: "signature", areas: [signature] },
      { ...common, name: "Date", type: "date", areas: [date] },
    ];
  });
}

type SignerAreas = Awaited<ReturnType<PdfPool["prepare"]>>["areas"][number];
