import type { Area, PdfPool, PlacedAnchor } from "@countersign/pdf/pool";
import { asPdfProblem } from "../documents/pdf-problems.ts";
import { readStored } from "../documents/read-stored.ts";
import type { OrgId } from "../shared/ids.ts";
import type { ProblemCode } from "../shared/problems.ts";
import type { BlobStore } from "../storage/blob-store.ts";
import { asPlacementProblem } from "./placement-problems.ts";
import { anchorsOf, fieldOfAnchor, MAX_ANCHORS, type Named, type Place } from "./resolve-fields.ts";

interface Deps {
  readonly pdf: PdfPool;
  readonly storage: { readonly blobs: BlobStore };
}

const turnOf = (org: OrgId) => ({ key: org, priority: "interactive", give_up_bytes: true }) as const;

/** The stored PDFs of the documents, in order. */
type Documents = readonly { readonly pdf_sha256: string }[];

const documentOf = (field: Named): number => ("document" in field ? (field.document ?? 1) : 1);
const STAYS: Named = { keep: { position: 0, name: "" } };

/** Finds the anchors of the fields, each in its document. A PDF is not read if it has none. */
export async function findAnchors(
  deps: Deps,
  org: OrgId,
  documents: Documents,
  wanted: readonly Named[],
  place: Place,
  unavailable: ProblemCode,
): Promise<readonly PlacedAnchor[]> {
  const found = new Map<number, PlacedAnchor>();
  for (const [index, { pdf_sha256 }] of documents.entries()) {
    // The others keep their places in the list, so that a mistake is reported at the right one.
    const here = wanted.map((field) => (documentOf(field) === index + 1 ? field : STAYS));
    const anchors = anchorsOf(here);
    if (anchors.length === 0) continue;
    const bytes = await readStored(deps, org, pdf_sha256, unavailable);
    const placed = await deps.pdf.anchors(bytes, { anchors }, turnOf(org)).catch(asPlacementProblem(here, place));
    for (const [nth, anchor] of placed.entries()) found.set(fieldOfAnchor(here, nth), anchor);
  }
  return [...found].sort(([a], [b]) => a - b).map(([, anchor]) => anchor);
}

/** All places of an anchor's text, in the order of occurrences. */
export interface AnchorMatches {
  /** its index among all fields */
  readonly field: number;
  readonly matches: readonly Area[];
}

/**
 * All matches of the anchors, to choose from. The engine answers as many queries at once as a request can have anchors, and each anchor
 * gets an equal share of them. More matches than that are not shown.
 */
export async function findMatches(
  deps: Deps,
  org: OrgId,
  documents: Documents,
  wanted: readonly Named[],
  found: readonly PlacedAnchor[],
  unavailable: ProblemCode,
): Promise<AnchorMatches[]> {
  const share = Math.floor(MAX_ANCHORS / Math.max(1, found.length));
  const asked = anchorsOf(wanted).map(({ anchor_text, page }, nth) => {
    const field = fieldOfAnchor(wanted, nth);
    const occurrences = Array.from({ length: Math.min(share, found[nth]?.matches ?? 0) }, (_, index) => ({
      anchor_text,
      occurrence: index + 1,
      ...(page !== undefined && { page }),
    }));
    return { field, document_no: documentOf(wanted[field] ?? STAYS), occurrences };
  });
  const matches = new Map<number, readonly Area[]>(asked.map(({ field }) => [field, []]));
  for (const [index, { pdf_sha256 }] of documents.entries()) {
    const here = asked.filter(({ document_no }) => document_no === index + 1);
    const anchors = here.flatMap(({ occurrences }) => occurrences);
    if (anchors.length === 0) continue;
    const bytes = await readStored(deps, org, pdf_sha256, unavailable);
    const placed = (await deps.pdf.anchors(bytes, { anchors }, turnOf(org)).catch(asPdfProblem))[Symbol.iterator]();
    for (const { field, occurrences } of here)
      matches.set(
        field,
        occurrences.map(() => (placed.next().value as PlacedAnchor).match),
      );
  }
  return asked.map(({ field }) => ({ field, matches: matches.get(field) ?? [] }));
}
