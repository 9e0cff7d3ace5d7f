import { iso } from "../../http/shapes.ts";
import type { Assignment, Consent } from "./assignment.ts";

export const presentAssignment = (row: Assignment) => ({
  envelope_id: row.envelope_id,
  seq: row.seq,
  secured_party: row.party,
  consent: row.consent === null ? null : presentConsent(row.consent),
  status: row.state,
  recorded_at: iso(row.recorded_at),
});

const presentConsent = ({ method, given_by, statement, given_at }: Consent) => ({
  method,
  given_by: { name: given_by.name, email: given_by.email },
  statement,
  given_at,
});
