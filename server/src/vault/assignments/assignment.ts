import type { SecuredParty } from "../../envelopes/envelope.ts";
import type { EnvelopeId } from "../../shared/ids.ts";

export const assignmentStates = ["pending", "effective", "refused"] as const;

/** That the party before agrees. Spelled with every member, because the chain and the register hold the same JSON. */
export interface Consent {
  readonly method: "written";
  readonly given_by: { readonly name: string; readonly email: string | null };
  readonly statement: string | null;
  readonly given_at: string;
}

/** A row of the register: to whom the record is assigned. The first has no consent, every later one that of the party before it. */
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
