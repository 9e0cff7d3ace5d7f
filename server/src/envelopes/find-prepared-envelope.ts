import type { Read } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { partsOf, placedThrough } from "../signing/preview-signing.ts";
import type { Prepared } from "../signing/submission.ts";
import { findFields, listDocuments } from "./document-store.ts";
import { drafts } from "./envelope.ts";
import { rolesOfSigners, savedRecipients } from "./recipient-input.ts";
import { findSigningEnvelope } from "./signing-envelope-store.ts";
import { wrongStatus } from "./store.ts";

/** A draft with what its sender has prepared so far. */
export async function findPreparedEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Prepared> {
  const envelope = await findSigningEnvelope(read, org, envelope_id);
  const { status, envelope_name: name, sender, branding, default_locale, message, maker_roles } = envelope;
  if (!drafts.includes(status)) throw wrongStatus("preview", status);
  const documents = await listDocuments(read, org, envelope_id);
  if (documents.length === 0) throw new Problem("envelope_without_document");
  const recipients = savedRecipients(envelope.signers);
  // As when it is sent: a field without a role is the first signer's.
  const [first = ""] = rolesOfSigners(recipients);
  const fields = (await findFields(read, org, envelope_id)).map((field) => ({ ...field, role: field.role ?? first }));
  return {
    name,
    sender,
    branding,
    default_locale,
    message,
    maker_roles,
    people: recipients.map(({ kind, role = null, name, message = null }) => ({ kind, role, name, message })),
    pages: documents.flatMap(({ pages }) => pages),
    documents: partsOf(documents),
    fields: placedThrough(documents, fields),
  };
}
