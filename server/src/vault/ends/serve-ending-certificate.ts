import { readStored } from "../../documents/read-stored.ts";
import type { FileAnswer } from "../../http/endpoint.ts";
import type { EndingId, OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { findEnding } from "./ending-store.ts";

// A job makes it within seconds after the end.
const RETRY_AFTER_SECONDS = 2;

export async function serveEndingCertificate(deps: VaultDeps, org: OrgId, ending_id: EndingId): Promise<FileAnswer> {
  const { certificate_sha256, state } = await deps.db.tx(org, (tx) => findEnding(tx, org, ending_id));
  if (state !== "done") throw new Problem("ending_not_done");
  if (certificate_sha256 === null) throw new Problem("document_not_ready", "", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  const bytes = await readStored(deps, org, certificate_sha256, "document_unavailable");
  return { type: "application/pdf", bytes, file_name: `${ending_id}-certificate.pdf` };
}
