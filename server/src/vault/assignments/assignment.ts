import type { SecuredParty } from "../../envelopes/envelope.ts";
import type { ActId, EnvelopeId, PartyId } from "../../shared/ids.ts";

export const assignmentStates = ["pending", "effective", "refused"] as const;

/** The consent of the previous party. Contains every member, because the chain and the register store the same JSON. */
export type Consent = WrittenConsent | ActConsent;

export interface WrittenConsent {
  readonly method: "written";
  readonly given_by: { readonly name: string; readonly email: string | null };
  readonly statement: string | null;
  readonly given_at: string;
}

/** An act that the parties confirmed, or that corrected a name that no one had confirmed. */
export interface ActConsent {
  readonly method: "act" | "correction";
  readonly act_id: ActId;
  readonly act_sha256: string;
}

export const confirmations = ["unconfirmed", "confirmed", "corrected"] as const;
/** Whether the party itself confirmed that the record is assigned to it. `corrected`: the row named it wrongly, and the next one replaces it. */
export type Confirmation = (typeof confirmations)[number];

/**
 * A row of the register: the party the record is assigned to. The first row has no consent; each later one has that of the previous party.
 */
export interface Assignment {
  readonly envelope_id: EnvelopeId;
  readonly seq: number;
  readonly party: SecuredParty;
  readonly party_sha256: string;
  readonly consent: Consent | null;
  readonly state: (typeof assignmentStates)[number];
  /** null for a party that is known by its name alone */
  readonly party_id: PartyId | null;
  /** the act by which the row was made or confirmed */
  readonly act_id: ActId | null;
  readonly confirmation: Confirmation;
  readonly entry_seq: number;
  readonly recorded_at: Date;
}
