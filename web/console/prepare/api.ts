import type { Customer, Envelope, EnvelopeDocument, EnvelopeFields, Recipient } from "@countersign/client/types";
import { call } from "../api.ts";

/** The envelope that is being prepared. The draft is the envelope itself. */
export type Draft = {
  readonly envelope: Envelope;
  /** as they are saved with the draft */
  readonly recipients: readonly Recipient[];
  /** the pages and fields of all documents */
  readonly document: EnvelopeFields;
  readonly documents: readonly EnvelopeDocument[];
  readonly customer: Customer | null;
};

export async function readDraft(envelope_id: string): Promise<Draft> {
  const params = { envelope_id };
  const [envelope, document, { documents }] = await Promise.all([
    call("get_envelope", { params }),
    call("get_envelope_fields", { params }),
    call("list_envelope_documents", { params }),
  ]);
  const { customer_id, metadata } = envelope;
  const customer = customer_id === null ? null : await call("get_customer", { params: { customer_id } });
  return { envelope, recipients: metadata.recipients, document, documents, customer };
}
