import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { readStored } from "../documents/read-stored.ts";
import { issueDocument } from "../envelopes/issue-document.ts";
import { findEnvelope } from "../envelopes/store.ts";
import { Answered, type FileAnswer } from "../http/endpoint.ts";
import type { Caller, WidgetCaller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { nameFile } from "../shared/name-file.ts";
import type { AuditCaller } from "./audits/find-audited.ts";
import { requireState } from "./copy.ts";
import { findCopy } from "./copy-store.ts";
import { refuseDamaged } from "./keeping/require-undamaged.ts";
import { presentCertificate } from "./present.ts";
import type { CertificateData, CertificateFormat } from "./shapes.ts";
import { lookUpCertificate } from "./store.ts";
import type { PipelineDeps } from "./vault.ts";

/** What leaves the vault: marked copies and certificates. The authoritative bytes are never served here. */

/** `widget`: the vault page, recorded once per token. `record`: an auditor's view of state and checks. */
type Accessed = "copy" | "certificate" | "evidence" | "widget" | "record";

/**
 * A key or member is named by id. A widget visitor is named by e-mail address, because a signer's id opens their document; an auditor too,
 * because the id of a person says nothing to a reader.
 */
export const accessorName = (caller: Caller | WidgetCaller | AuditCaller): string => {
  if ("holder" in caller) return caller.holder.user_email;
  return "auditor" in caller ? caller.auditor.email : caller.actor.id;
};

/** Called before the first byte is sent. Sends no webhook: the specification reserves that event. */
export async function recordAccess(deps: Pick<PipelineDeps, "db">, caller: Caller, envelope_id: EnvelopeId, what: Accessed): Promise<void> {
  await deps.db.tx(caller.org, (tx) => appendAccess(tx, caller, envelope_id, what));
}

export async function appendAccess(tx: Tx, caller: Caller | AuditCaller, envelope_id: EnvelopeId, what: Accessed): Promise<void> {
  const under = "auditor" in caller ? { party_id: caller.auditor.party_id, grant_id: caller.auditor.grant_id } : {};
  const data = { what, by: accessorName(caller), ...under };
  await appendAudit(tx, caller.org, { type: "vault.document.accessed", by: caller, envelope_id, data });
}

/** For an undamaged copy. After a vault export, copies are still available. */
export async function issueVaultCopy(deps: PipelineDeps, caller: Caller, envelope_id: EnvelopeId): Promise<FileAnswer> {
  const copy = await deps.db.tx(caller.org, (tx) => findCopy(tx, caller.org, envelope_id));
  requireState(copy, "active", "escrowed", "exported", "transferred", "papering", "papered");
  await recordAccess(deps, caller, envelope_id, "copy");
  const file = await issueDocument(deps, { caller, named: accessorName(caller), early: "prepared" }, envelope_id);
  return { ...file, headers: { ...file.headers, "x-authoritative-sha256": copy.sha256 } };
}

/** For the JSON file. Differs from the type of responses, so that a client can tell the file from data. */
export const CERTIFICATE_FILE_TYPE = "application/vnd.countersign.certificate+json";

/** `pdf` and `file`: the stored bytes, whose hashes are in the audit trail. `json`: the content of the file. */
export async function serveCertificate(
  deps: PipelineDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  format: CertificateFormat,
): Promise<FileAnswer | Answered<CertificateData>> {
  const { certificate, envelope_name } = await deps.db.tx(caller.org, async (tx) => {
    await findCopy(tx, caller.org, envelope_id);
    const certificate = await lookUpCertificate(tx, caller.org, envelope_id);
    return { certificate, envelope_name: (await findEnvelope(tx, caller.org, envelope_id)).envelope_name };
  });
  if (certificate === null) throw new Error("the vaulted envelope has no certificate");
  await recordAccess(deps, caller, envelope_id, "certificate");
  const isPdf = format === "pdf";
  const bytes = await bytesOf(deps, caller, envelope_id, isPdf ? certificate.pdf_sha256 : certificate.json_sha256);
  if (format === "json") return new Answered(presentCertificate(JSON.parse(Buffer.from(bytes).toString())), {});
  const [type, ending] = isPdf ? ["application/pdf", "pdf"] : [CERTIFICATE_FILE_TYPE, "json"];
  return { type, bytes, file_name: nameFile(envelope_name, ending, `certificate ${certificate.revision}`) };
}

function bytesOf(deps: PipelineDeps, { org }: Caller, envelope_id: EnvelopeId, sha256: string): Promise<Uint8Array> {
  return refuseDamaged(deps, org, envelope_id, () => readStored(deps, org, sha256, "document_unavailable"));
}
