import { appendAudit } from "../audit/append-audit.ts";
import type { ReceivedFile } from "../http/form.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { documentPath } from "./document.ts";
import { type Envelope, type EnvelopeDeps, moves } from "./envelope.ts";
import { refuseUnknownRecipientRoles, savedRecipients } from "./recipient-input.ts";
import { findEnvelope, moveEnvelope, wrongStatus } from "./store.ts";
import { onlyDocument, receivedData, recordDocument, type TakenDocument, takeDocument } from "./take-document.ts";

export interface Attachment extends TakenDocument {
  readonly envelope_id: EnvelopeId;
}

/** Adds a document to an envelope that has none. */
async function prepareAttachment(deps: EnvelopeDeps, caller: Caller, envelope_id: EnvelopeId, file: ReceivedFile): Promise<Attachment> {
  const { status, signers } = await deps.db.tx(caller.org, (tx) => findEnvelope(tx, caller.org, envelope_id));
  // Checked before the file is processed: an envelope that has a document does not get another.
  if (!(moves.attach.from as readonly string[]).includes(status)) throw wrongStatus("attach", status);
  const document = await takeDocument(deps, caller, file, ({ roles }) =>
    refuseUnknownRecipientRoles({ field: "signers", people: savedRecipients(signers) }, { named: roles, placed: [] }, "form"),
  );
  return { ...document, envelope_id };
}

function saveAttachment(deps: EnvelopeDeps, caller: Caller, attachment: Attachment): Promise<Envelope> {
  const { org } = caller;
  const { envelope_id } = attachment;
  return deps.db.tx(org, async (tx) => {
    await moveEnvelope(tx, org, envelope_id, "attach");
    const { envelope_name: name } = await findEnvelope(tx, org, envelope_id);
    const place = onlyDocument(name);
    await recordDocument(tx, caller, envelope_id, place, attachment);
    const data = { name, ...receivedData(documentPath(org, envelope_id, name), place, attachment) };
    await appendAudit(tx, org, { type: "document.received", by: caller, envelope_id, data });
    return findEnvelope(tx, org, envelope_id);
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const attachDocument = { prepare: prepareAttachment, save: saveAttachment };
