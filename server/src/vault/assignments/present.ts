import { iso } from "../../http/shapes.ts";
import type { Assignment, Consent } from "./assignment.ts";

export const presentAssignment = (row: Assignment) => ({
  envelope_id: row.envelope_id,
  seq: row.seq,
  secured_party: row.party,
  consent: row.consent === null ? null : presentConsent(row.consent),
  status: row.state,
  party_id: row.party_id,
  confirmation: row.confirmation,
  act_id: row.act_id,
  recorded_at: iso(row.recorded_at),
});

/** An act names itself; who confirmed it is in the act. */
const presentConsent = (consent: Consent) =>
  consent.method === "written"
    ? {
        method: consent.method,
        given_by: { name: consent.given_by.name, email: consent.given_by.email },
        statement: consent.statement,
        given_at: consent.given_at,
        act_id: null,
      }
    : { method: consent.method, given_by: null, statement: null, given_at: null, act_id: consent.act_id };
