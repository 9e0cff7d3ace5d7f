import { appendAudit } from "../audit/append-audit.ts";
import { appendEvent } from "../events/append-event.ts";
import type { ReceivedFile } from "../http/form.ts";
import type { Caller } from "../shared/caller.ts";
import { type CustomerId, newId } from "../shared/ids.ts";
import { keepBlob } from "../storage/store.ts";
import { storeBlob } from "../storage/store-blob.ts";
import { warningsOf } from "../templates/create-template.ts";
import { asPdfProblem } from "../templates/pdf-problems.ts";
import { fieldsOfTags } from "../templates/resolve-fields.ts";
import { documentPath, nameOfFile, type UploadedDocument } from "./document.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { refuseRepeatedSigners, refuseUnknownRoles, type SignerInput } from "./signer-input.ts";
import { insertDocument, insertEnvelope, insertEnvelopeFields, insertVersions } from "./store.ts";

export interface DocumentForm {
  readonly name?: string;
  readonly signers?: readonly SignerInput[];
  readonly auto_vault_enabled?: "true" | "false";
  readonly kba_required?: "true" | "false";
}

const types = {
  pdf: { content_type: "application/pdf", extension: "pdf" },
  png: { content_type: "image/png", extension: "png" },
  jpeg: { content_type: "image/jpeg", extension: "jpg" },
} as const;

export async function prepareDocument(
  deps: EnvelopeDeps,
  caller: Caller,
  customer_id: CustomerId,
  form: DocumentForm,
  file: ReceivedFile,
): Promise<UploadedDocument> {
  const { signers = [], auto_vault_enabled = "false", kba_required = "false" } = form;
  refuseRepeatedSigners(signers, "form");
  // Nobody's root: whom the org trusts is not known here, but whether a signature still covers its bytes is.
  const request = { tags: "document", images: true, keep_signed: true, verify: { roots: [], at: new Date() } } as const;
  const { bytes, ...taken } = await deps.pdf
    .takeIn({ file: file.path, size: file.size }, request, { key: caller.org, priority: "interactive" })
    .catch(asPdfProblem);
  refuseUnknownRoles(signers, taken.roles, "form");
  const pdf = await storeBlob(deps.storage, caller.org, bytes);
  const kept = taken.kind === "pdf" ? pdf : await storeBlob(deps.storage, caller.org, { file: file.path });
  const { content_type, extension } = types[taken.kind];
  const envelope_id = newId("envelope");
  const name = form.name ?? nameOfFile(file.name, extension);
  return {
    customer_id,
    envelope_id,
    name,
    signers,
    path: documentPath(caller.org, envelope_id, name),
    content_type,
    kept,
    received: { sha256: file.sha256, size: file.size },
    pdf,
    taken,
    auto_vault_enabled: auto_vault_enabled === "true",
    kba_required: kba_required === "true",
    warnings: [...fieldsOfTags(taken.fields).warnings, ...warningsOf(taken)],
  };
}

/** The envelope, its document, its fields, two entries of its chain and the event. */
export async function saveDocument(deps: EnvelopeDeps, caller: Caller, document: UploadedDocument): Promise<UploadedDocument> {
  const { org } = caller;
  const { customer_id, envelope_id, name, signers, kept, pdf, taken, auto_vault_enabled, kba_required } = document;
  await deps.db.tx(org, async (tx) => {
    await keepBlob(tx, org, pdf.sha256);
    if (kept.sha256 !== pdf.sha256) await keepBlob(tx, org, kept.sha256);
    await insertEnvelope(tx, org, {
      envelope_id,
      envelope_name: name,
      status: "uploaded",
      customer_id,
      is_upload: true,
      signers,
      auto_vault_enabled,
      kba_required,
      created_by: caller.actor.id,
    });
    await insertDocument(tx, org, document);
    await insertVersions(tx, org, envelope_id, document);
    // Where no tag states a role, the first signer is meant, whoever that will be.
    const fields = fieldsOfTags(taken.fields).fields.map((field) => (taken.roles.length === 0 ? { ...field, role: null } : field));
    await insertEnvelopeFields(tx, org, envelope_id, fields);
    const created = { customer_id, is_upload: true, auto_vault_enabled, kba_required };
    await appendAudit(tx, org, { type: "envelope.created", by: caller, envelope_id, data: created });
    await appendAudit(tx, org, { type: "document.received", by: caller, envelope_id, data: receivedData(document) });
    await appendEvent(tx, org, { type: "envelope.created", envelope_id, data: { envelope_id, customer_id, external_id: null } });
  });
  return document;
}

/** What there is to say about how the document came to be what is signed: hashes, what was taken out, signatures that it had. */
function receivedData({ name, path, content_type, received, kept, pdf, taken, signers }: UploadedDocument) {
  const { kept: byte_for_byte, removed, flattened, warnings, seals, pages } = taken;
  return {
    name,
    path,
    content_type,
    received_sha256: received.sha256,
    received_size: received.size,
    hash: kept.sha256,
    size: kept.size,
    pdf_sha256: pdf.sha256,
    byte_for_byte,
    removed: { ...removed },
    flattened,
    warnings: [...warnings],
    pages: pages.length,
    signatures: seals.map(({ field, intact, covers_whole_file, fault }) => ({ field, intact, covers_whole_file, fault: fault ?? null })),
    signers: signers.map(({ email, name: signer, role }) => ({ email, name: signer, role })),
  };
}
