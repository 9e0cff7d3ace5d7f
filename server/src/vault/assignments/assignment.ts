import type { SecuredParty } from "../../envelopes/envelope.ts";
import type { EnvelopeId } from "../../shared/ids.ts";

export const assignmentStates = ["pending", "effective", "refused"] as const;

/** The consent of the previous party. Contains every member, because the chain and the register store the same JSON. */
export interface Consent {
  readonly method: "written";
  readonly given_by: { readonly name: string; readonly email: string | null };
  readonly statement: string | null;
  readonly given_at: string;
}

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
  readonly entry_seq: number;
  readonly recorded_at: Date;
}
