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

/** Finds the anchors of the fields in a stored PDF. The PDF is not read if there are none. */
export async function findAnchors(
  deps: Deps,
  org: OrgId,
  sha256: string,
  wanted: readonly Named[],
  place: Place,
  unavailable: ProblemCode,
): Promise<readonly PlacedAnchor[]> {
  const anchors = anchorsOf(wanted);
  if (anchors.length === 0) return [];
  const bytes = await readStored(deps, org, sha256, unavailable);
  return deps.pdf.anchors(bytes, { anchors }, turnOf(org)).catch(asPlacementProblem(wanted, place));
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
  sha256: string,
  wanted: readonly Named[],
  found: readonly PlacedAnchor[],
  unavailable: ProblemCode,
): Promise<AnchorMatches[]> {
  const share = Math.floor(MAX_ANCHORS / Math.max(1, found.length));
  const asked = anchorsOf(wanted).map(({ anchor_text, page }, nth) =>
    Array.from({ length: Math.min(share, found[nth]?.matches ?? 0) }, (_, index) => ({
      anchor_text,
      occurrence: index + 1,
      ...(page !== undefined && { page }),
    })),
  );
  const anchors = asked.flat();
  if (anchors.length === 0) return [];
  const bytes = await readStored(deps, org, sha256, unavailable);
  const placed = (await deps.pdf.anchors(bytes, { anchors }, turnOf(org)).catch(asPdfProblem))[Symbol.iterator]();
  return asked.map((occurrences, nth) => ({
    field: fieldOfAnchor(wanted, nth),
    matches: occurrences.map(() => (placed.next().value as PlacedAnchor).match),
  }));
}
