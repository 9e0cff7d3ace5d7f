import { disclosureElements, type Facts } from "@countersign/evidence";
import type { Read } from "../../db/sql.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { listTexts } from "../../texts/store.ts";
import { listAgreedTexts } from "./facts-store.ts";

/** Every text that was accepted in this envelope, and whether this installation published it, in this version or an earlier one. */
export async function textFacts(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Facts["texts"]> {
  const agreed = await listAgreedTexts(read, org, envelope_id);
  const stored = await listTexts(
    read,
    agreed.map(({ sha256 }) => sha256),
  );
  return agreed.map((named) => {
    const published = stored.some(({ kind, sha256 }) => kind === named.kind && sha256 === named.sha256);
    // The disclosures in server/texts cover this list point by point.
    return { ...named, published, elements: named.kind === "disclosure" && published ? [...disclosureElements] : [] };
  });
}
