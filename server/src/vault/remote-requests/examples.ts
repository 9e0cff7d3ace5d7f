import { actExample } from "../acts/shapes.ts";
import { messageFile } from "../links/examples.ts";

export const request = {
  request_id: "rrq_01h2xcejqtf2nbrexx3vqjhp41",
  state: "open",
  summary: actExample.summary,
  kind: actExample.kind,
  org_name: "Acme Leasing",
  vault_id: "rv_01h2xcejqtf2nbrexx3vqjhp41",
  vault_name: "Acme Leasing",
  party_name: "First Example Bank, N.A.",
  act_id: actExample.act_id,
  document: actExample.document,
  sha256: actExample.sha256,
  decision: null,
  reason: null,
  decided_by: null,
  decided_at: null,
  delivered: false,
  last_error: null,
  outcome: null,
  received_at: "2026-01-05T09:30:01.000Z",
  expires_at: actExample.expires_at,
  closed_at: null,
  updated_at: "2026-01-05T09:30:01.000Z",
};

export const decided = {
  ...request,
  state: "decided",
  decision: "confirm",
  decided_by: { name: "Ann", email: "ann@bank.example", key_name: null },
  decided_at: "2026-01-06T08:00:00.000Z",
  updated_at: "2026-01-06T08:00:00.000Z",
};

export const message = { kind: "request", at: "2026-01-05T09:30:01.000Z", ...messageFile };
export const received = { act_id: actExample.act_id, state: "open", reply: null };
