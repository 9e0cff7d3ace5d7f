import type { Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { MAX_FIELDS } from "../templates/template.ts";
import { type ListedDocument, listDocuments } from "./document-store.ts";
import { drafts, type Envelope } from "./envelope.ts";
import { lockRow, updateEnvelope, wrongStatus } from "./store.ts";

/** What adding, changing, replacing and removing a document of a draft share. */

export interface LockedDraft {
  readonly envelope: Envelope;
  readonly documents: readonly ListedDocument[];
}

/** Throws envelope_wrong_status once the envelope was sent. */
export async function lockDraft(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<LockedDraft> {
  const envelope = await lockRow(tx, org, envelope_id);
  refuseSent(envelope);
  return { envelope, documents: await listDocuments(tx, org, envelope_id) };
}

export function refuseSent({ status }: Envelope): void {
  if (!drafts.includes(status)) throw wrongStatus("change the documents", status);
}

/** A send that read the draft before finds out that it has changed. */
export const touchDraft = (tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> => updateEnvelope(tx, org, envelope_id, {});

export function refuseTooManyFields(count: number): void {
  if (count <= MAX_FIELDS) return;
  const message = `the envelope would have more than ${MAX_FIELDS} fields`;
  throw new Problem("invalid_request", "fields", { details: [{ location: "body", field: null, code: "too_long", message }] });
}
