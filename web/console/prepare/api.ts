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
  const [read, document, { documents }] = await Promise.all([
    getIfChanged("get_envelope", { params }, null),
    call("get_envelope_fields", { params }),
    call("list_envelope_documents", { params }),
  ]);
  if (read === null) throw new Error("no envelope in the answer");
  const { data: envelope, tag } = read;
  const { customer_id, metadata } = envelope;
  const customer = customer_id === null ? null : await call("get_customer", { params: { customer_id } });
  return { envelope, tag, recipients: metadata.recipients, document, documents, customer };
}
