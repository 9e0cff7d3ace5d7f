import { cachedPage } from "../../documents/page-cache.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import type { SigningDeps } from "../submission.ts";

// What somebody reads before they think of signing. The rest is drawn when it is asked for.
const FIRST_PAGES = 15;

/** Read and hashed once. So that the first signer finds the first pages drawn. Not `interactive`: nobody waits for it yet. */
export async function drawPages(deps: SigningDeps, { org_id, envelope_id }: { org_id: OrgId; envelope_id: EnvelopeId }): Promise<void> {
  const { prepared_sha256, pages } = await deps.db.tx(org_id, (tx) => deps.findDocument(tx, org_id, envelope_id));
  const bytes = await deps.readPdf(org_id, prepared_sha256);
  const known = { ...deps, readPdf: async () => Uint8Array.from(bytes) };
  for (let page = 1; page <= Math.min(FIRST_PAGES, pages.length); page++) {
    await cachedPage(known, org_id, prepared_sha256, { page, width_px: 1224 }, "background");
  }
}
