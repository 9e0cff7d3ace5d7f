import { disclosureElements, type Facts } from "@countersign/evidence";
import type { Read } from "../../db/sql.ts";
import { currentTerms } from "../../envelopes/certification.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { currentTexts } from "../../signing/texts.ts";
import { type AgreedText, listAgreedTexts } from "./facts-store.ts";

/** Every text that was accepted in this envelope, and whether this installation published it. */
export async function textFacts(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Facts["texts"]> {
  const agreed = await listAgreedTexts(read, org, envelope_id);
  return agreed.map((named) => {
    const published = isPublished(named);
    // The disclosures in server/texts cover this list point by point.
    return { ...named, published, elements: named.kind === "disclosure" && published ? [...disclosureElements] : [] };
  });
}

function isPublished({ kind, version, sha256 }: AgreedText): boolean {
  if (kind === "terms") return currentTerms().terms_version === version && currentTerms().terms_sha256 === sha256;
  return currentTexts(kind).some((text) => text.version === version && text.sha256 === sha256);
}
