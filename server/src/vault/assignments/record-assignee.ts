import { hashOfJson, type Json } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { keptParty } from "../../envelopes/create-envelope.ts";
import type { SecuredParty } from "../../envelopes/envelope.ts";
import { json, updateEnvelope } from "../../envelopes/store.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ActId, EnvelopeId, PartyId } from "../../shared/ids.ts";
import type { Assignment, Confirmation, Consent } from "./assignment.ts";
import { insertAssignment, lookUpAssignee } from "./store.ts";

export interface NewAssignee {
  readonly party: SecuredParty;
  /** of the previous party; null for the first */
  readonly consent: Consent | null;
  /** if it is in the list of parties */
  readonly party_id?: PartyId | null;
  readonly act_id?: ActId | null;
  readonly confirmation?: Confirmation;
}

/** Updates the register, the envelope and the chain in one commit. The caller holds the envelope's lock. */
export async function recordAssignee(
  tx: Tx,
  caller: Caller,
  envelope_id: EnvelopeId,
  { party: given, consent, party_id = null, act_id = null, confirmation = "unconfirmed" }: NewAssignee,
): Promise<Assignment> {
  const { org } = caller;
  const party = keptParty(given);
  const seq = ((await lookUpAssignee(tx, org, envelope_id))?.seq ?? 0) + 1;
  const party_sha256 = hashOfJson(party);
  await updateEnvelope(tx, org, envelope_id, { secured_party: json(party) });
  const data = {
    seq,
    party: { ...party },
    party_sha256,
    consent: consent === null ? null : jsonOf(consent),
  };
  const head = await appendAudit(tx, org, { type: "assignment.recorded", by: caller, envelope_id, data });
  const row = {
    envelope_id,
    seq,
    party,
    party_sha256,
    consent,
    state: "effective",
    party_id,
    act_id,
    confirmation,
    entry_seq: head.seq,
    recorded_at: new Date(head.at),
  } as const;
  await insertAssignment(tx, org, row);
  return row;
}

const jsonOf = (consent: Consent): Json => ({ ...consent, ...("given_by" in consent && { given_by: { ...consent.given_by } }) });
