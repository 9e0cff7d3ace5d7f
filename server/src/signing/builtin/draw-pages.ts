import { drawAhead } from "../../documents/page-cache.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import type { SigningDeps } from "../submission.ts";

// About as much as signers look at first. The other pages are drawn on request.
const FIRST_PAGES = 15;

/**
 * Draws the first pages ahead of time so that the first signer does not wait. In the background, because no one is waiting yet. The PDF
 * is read and hashed once.
 */
export async function drawPages(deps: SigningDeps, { org_id, envelope_id }: { org_id: OrgId; envelope_id: EnvelopeId }): Promise<void> {
  const { prepared_sha256, pages } = await deps.db.tx(org_id, (tx) => deps.findDocument(tx, org_id, envelope_id));
  const bytes = await deps.readPdf(org_id, prepared_sha256);
  const known = { ...deps, readPdf: async () => Uint8Array.from(bytes) };
  for (let page = 1; page <= Math.min(FIRST_PAGES, pages.length); page++) {
    await drawAhead(known, org_id, prepared_sha256, { page, width_px: 1224 });
  }
}
