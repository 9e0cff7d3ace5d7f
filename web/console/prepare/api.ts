import { get } from "../api.ts";
import { type Customer, type Envelope, type EnvelopeFields, pathOf, type Signer } from "../envelopes/api.ts";

/** The envelope that is being prepared: the draft is the envelope itself. */
export interface Draft {
  readonly envelope: Envelope;
  readonly signers: readonly Signer[];
  readonly document: EnvelopeFields;
  readonly customer: Customer | null;
}

export interface ListedTemplate {
  readonly template_id: string;
  readonly name: string;
  readonly page_count: number;
  readonly field_count: number;
  readonly roles: readonly string[];
}

export async function readDraft(envelope_id: string): Promise<Draft> {
  const [envelope, { signers }, document] = await Promise.all([
    get<Envelope>(pathOf(envelope_id)),
    get<{ signers: readonly Signer[] }>(pathOf(envelope_id, "/signers")),
    get<EnvelopeFields>(pathOf(envelope_id, "/fields")),
  ]);
  const { customer_id } = envelope;
  return { envelope, signers, document, customer: customer_id === null ? null : await get<Customer>(`/partner/customers/${customer_id}`) };
}
