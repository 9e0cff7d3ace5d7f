import type { PdfPool, PlacedAnchor } from "@countersign/pdf/pool";
import type { OrgId } from "../shared/ids.ts";
import { Problem, type ProblemCode } from "../shared/problems.ts";
import { BlobDamaged, BlobMissing, type BlobStore, StoreAway } from "../storage/blob-store.ts";
import type { AskedField } from "./field-shapes.ts";
import { asPlacementProblem } from "./pdf-problems.ts";
import { anchorsOf, type Place } from "./resolve-fields.ts";

interface Deps {
  readonly pdf: PdfPool;
  readonly storage: { readonly blobs: BlobStore };
}

/** Where the anchors of the fields are in a stored PDF; the PDF is not even read when there are none. */
export async function findAnchors(
  deps: Deps,
  org: OrgId,
  sha256: string,
  asked: readonly AskedField[],
  place: Place,
  unavailable: ProblemCode,
): Promise<readonly PlacedAnchor[]> {
  const anchors = anchorsOf(asked);
  if (anchors.length === 0) return [];
  const bytes = await readStored(deps, org, sha256, unavailable);
  return deps.pdf
    .anchors(bytes, { anchors }, { key: org, priority: "interactive", give_up_bytes: true })
    .catch(asPlacementProblem(asked, place));
}

/** The bytes of a stored PDF; when the store fails us it is the peer's failure, with the words that the caller chose. */
export async function readStored(deps: Pick<Deps, "storage">, org: OrgId, sha256: string, unavailable: ProblemCode): Promise<Uint8Array> {
  try {
    return await deps.storage.blobs.read(org, sha256);
  } catch (cause) {
    const isTheirs = cause instanceof BlobMissing || cause instanceof BlobDamaged || cause instanceof StoreAway;
    throw isTheirs ? new Problem(unavailable, cause.name, { cause }) : cause;
  }
}
