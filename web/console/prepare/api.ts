import type { Customer, Envelope, EnvelopeDocument, EnvelopeFields, Recipient } from "@countersign/client/types";
import { call, getIfChanged } from "../api.ts";

/** The envelope that is being prepared. The draft is the envelope itself. */
export type Draft = {
  readonly envelope: Envelope;
  /** the ETag of the envelope */
  readonly tag: string | null;
  /** as they are saved with the draft */
  readonly recipients: readonly Recipient[];
  /** the pages and fields of all documents */
  readonly document: EnvelopeFields;
  readonly documents: readonly EnvelopeDocument[];
  readonly customer: Customer | null;
};

export async function readDraft(envelope_id: string): Promise<Draft> {
  const params = { envelope_id };
  // The tag comes first: of what is read after it, a change can be shown that it does not cover, but none be missing that it does.
  const read = await getIfChanged("get_envelope", { params }, null);
  if (read === null) throw new Error("no envelope in the answer");
  const { data: envelope, tag } = read;
  const { customer_id, metadata } = envelope;
  const [document, { documents }, customer] = await Promise.all([
    call("get_envelope_fields", { params }),
    call("list_envelope_documents", { params }),
    customer_id === null ? null : call("get_customer", { params: { customer_id } }),
  ]);
  return { envelope, tag, recipients: metadata.recipients, document, documents, customer };
}
