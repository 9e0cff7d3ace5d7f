import { get } from "../api.ts";
import { type Customer, type Envelope, type EnvelopeFields, pathOf } from "../envelopes/api.ts";
import type { Locale } from "../parts/languages.ts";

export type SigningOrder = "sequential" | "parallel";

export interface SavedSigner {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly locale?: Locale;
}

interface DraftEnvelope extends Envelope {
  readonly metadata: Envelope["metadata"] & {
    readonly message: string | null;
    readonly signing_order: SigningOrder;
    readonly expires_in_days: number;
    readonly reminders: { readonly every_days: number } | null;
    /** null once it is sent */
    readonly signers: readonly SavedSigner[] | null;
  };
}

/** The envelope that is being prepared: the draft is the envelope itself. */
export interface Draft {
  readonly envelope: DraftEnvelope;
  readonly signers: readonly SavedSigner[];
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
  const [envelope, document] = await Promise.all([
    get<DraftEnvelope>(pathOf(envelope_id)),
    get<EnvelopeFields>(pathOf(envelope_id, "/fields")),
  ]);
  const { customer_id, metadata } = envelope;
  const customer = customer_id === null ? null : await get<Customer>(`/partner/customers/${customer_id}`);
  return { envelope, signers: metadata.signers ?? [], document, customer };
}
