import type { FileAnswer } from "../../http/endpoint.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { serveEvidence } from "../evidence-bundle.ts";
import { recordAccess, serveCertificate } from "../hand-out.ts";
import type { CertificateFormat } from "../shapes.ts";
import { ensureRendition } from "./rendition.ts";
import { findVaulted, handedOut, isParty, requireShown, type WidgetDeps } from "./visit.ts";

/** What somebody takes away from the widget; each is an access of its own, as it is for a key. */

/** The very copy whose pages were shown. */
export async function handOutCopy(deps: WidgetDeps, who: WidgetCaller): Promise<FileAnswer> {
  const { bytes, issued_copy_id, file_name, of } = await ensureRendition(deps, who);
  await recordAccess(deps, who, who.holder.envelope_id, "copy");
  const headers = { "x-document-rendition": "copy", "x-copy-id": issued_copy_id, "x-authoritative-sha256": of.sha256 };
  return { type: "application/pdf", bytes, file_name, headers };
}

/** Also of what left, or was damaged: it says how the record was found when it was made. */
export async function handOutCertificate(deps: WidgetDeps, who: WidgetCaller, format: CertificateFormat) {
  const { org, holder } = who;
  await deps.db.tx(org, (tx) => findVaulted(tx, org, holder.envelope_id));
  return serveCertificate(deps, who, holder.envelope_id, format);
}

/** It holds the addresses of signers and where they signed: not for everybody who may look. */
export async function handOutEvidence(deps: WidgetDeps, who: WidgetCaller): Promise<FileAnswer> {
  const { org, holder } = who;
  await deps.db.tx(org, async (tx) => {
    const copy = await findVaulted(tx, org, holder.envelope_id);
    if (!(await isParty(tx, who))) throw new Problem("evidence_for_parties");
    requireShown(copy, ...handedOut);
  });
  return serveEvidence(deps, who, holder.envelope_id);
}
