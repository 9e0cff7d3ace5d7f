import { asPdfProblem } from "../documents/pdf-problems.ts";
import { readStored } from "../documents/read-stored.ts";
import type { EnvelopeDocument } from "../envelopes/document-store.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { PipelineDeps } from "./vault.ts";

// A stack of paper that was scanned upside down is blank from its first page on, so more pages need not be checked.
const MAX_PAGES = 20;

/** Without this, a blank scan would be stored for years as an original. */
export async function refuseBlank(deps: PipelineDeps, org: OrgId, { pdf_sha256, pages }: EnvelopeDocument): Promise<void> {
  const bytes = await readStored(deps, org, pdf_sha256, "document_unavailable");
  for (let page = 1; page <= pages.length; page++) {
    if (page > MAX_PAGES || !(await isBlank(deps, org, bytes, page))) return;
  }
  throw new Problem("document_blank");
}

async function isBlank({ pdf }: PipelineDeps, org: OrgId, bytes: Uint8Array, page: number): Promise<boolean> {
  return (await pdf.blank(bytes, { page }, { key: org, priority: "interactive" }).catch(asPdfProblem)).blank;
}
