import type { FileAnswer } from "../../http/endpoint.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { serveEvidence } from "../evidence-bundle.ts";
import { recordAccess, serveCertificate } from "../served-files.ts";
import type { CertificateFormat } from "../shapes.ts";
import { ensureRendition } from "./rendition.ts";
import { findVaulted, handedOut, isParty, requireShown, type WidgetDeps } from "./visit.ts";

/** Downloads from the widget. Each is recorded as an access, as it is for a key. */

/** The same copy whose pages are shown. */
export async function handOutCopy(deps: WidgetDeps, who: WidgetCaller): Promise<FileAnswer> {
  const { bytes, issued_copy_id, file_name, of } = await ensureRendition(deps, who);
  await recordAccess(deps, who, who.holder.envelope_id, "copy");
  const headers = { "x-document-rendition": "copy", "x-copy-id": issued_copy_id, "x-authoritative-sha256": of.sha256 };
  return { type: "application/pdf", bytes, file_name, headers };
}

/** Also for a copy that has left or was damaged: the certificate describes the record at the time of the evaluation. */
export async function handOutCertificate(deps: WidgetDeps, who: WidgetCaller, format: CertificateFormat) {
  const { org, holder } = who;
  await deps.db.tx(org, (tx) => findVaulted(tx, org, holder.envelope_id));
  return serveCertificate(deps, who, holder.envelope_id, format);
}

/** Contains the signers' addresses and where they signed, so not every viewer may have it. */
export async function handOutEvidence(deps: WidgetDeps, who: WidgetCaller): Promise<FileAnswer> {
  const { org, holder } = who;
  await deps.db.tx(org, async (tx) => {
    const copy = await findVaulted(tx, org, holder.envelope_id);
    if (!(await isParty(tx, who))) throw new Problem("evidence_for_parties");
    requireShown(copy, ...handedOut);
  });
  return serveEvidence(deps, who, holder.envelope_id);
}
