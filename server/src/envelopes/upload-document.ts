import { appendAudit } from "../audit/append-audit.ts";
import { holdCustomer } from "../customers/store.ts";
import type { ReceivedFile } from "../http/form.ts";
import type { Caller } from "../shared/caller.ts";
import { type CustomerId, type EnvelopeId, newId } from "../shared/ids.ts";
import { recordCreated } from "./create-envelope.ts";
import { documentPath, nameOfFile } from "./document.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { keptSigners, refuseUnfitSigners, refuseUnknownRoles, type SignerInput } from "./signer-input.ts";
import { insertEnvelope } from "./store.ts";
import { onlyDocument, receivedData, recordDocument, type TakenDocument, takeDocument } from "./take-document.ts";

export interface DocumentForm {
  readonly name?: string;
  readonly signers?: readonly SignerInput[];
  readonly auto_vault_enabled?: "true" | "false";
  readonly kba_required?: "true" | "false";
}

export interface UploadedDocument extends TakenDocument {
  readonly customer_id: CustomerId;
  readonly envelope_id: EnvelopeId;
  readonly name: string;
  readonly path: string;
  readonly signers: readonly SignerInput[];
  readonly auto_vault_enabled: boolean;
  readonly kba_required: boolean;
}

async function prepareDocument(
  deps: EnvelopeDeps,
  caller: Caller,
  customer_id: CustomerId,
  form: DocumentForm,
  file: ReceivedFile,
): Promise<UploadedDocument> {
  const { signers = [], auto_vault_enabled = "false", kba_required = "false" } = form;
  refuseUnfitSigners(signers, "form");
  const document = await takeDocument(deps, caller, file, ({ roles }) => refuseUnknownRoles(signers, roles, "form"));
  const envelope_id = newId("envelope");
  const name = form.name ?? nameOfFile(file.name, document.extension);
  return {
    ...document,
    customer_id,
    envelope_id,
    name,
    path: documentPath(caller.org, envelope_id, name),
    signers: keptSigners(signers),
    auto_vault_enabled: auto_vault_enabled === "true",
    kba_required: kba_required === "true",
  };
}

/** Saves the envelope, its document, its fields, two entries of its chain and the event. */
async function saveDocument(deps: EnvelopeDeps, caller: Caller, document: UploadedDocument): Promise<UploadedDocument> {
  const { org } = caller;
  const { envelope_id, name, path, signers, auto_vault_enabled, kba_required } = document;
  return deps.db.tx(org, async (tx) => {
    const customer_id = await holdCustomer(tx, org, document.customer_id);
    const settings = { auto_vault_enabled, kba_required, is_upload: true };
    const created_by = caller.actor.id;
    await insertEnvelope(tx, org, { envelope_id, envelope_name: name, status: "uploaded", customer_id, signers, ...settings, created_by });
    const place = onlyDocument(name);
    await recordDocument(tx, caller, envelope_id, place, document);
    await recordCreated(tx, caller, envelope_id, {
      customer_id,
      external_id: null,
      data: { ...settings, signers: signers.map(({ email, name, role }) => ({ email, name, role })) },
    });
    const data = { name, ...receivedData(path, place, document) };
    await appendAudit(tx, org, { type: "document.received", by: caller, envelope_id, data });
    return { ...document, customer_id };
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const uploadDocument = { prepare: prepareDocument, save: saveDocument };
