import { Type } from "typebox";
import { SecuredPartyShape } from "../../envelopes/shapes.ts";
import { findStatus } from "../../envelopes/store.ts";
import { type Endpoint, endpoint, listing } from "../../http/endpoint.ts";
import { Email, idOf, Name, nullable, Timestamp } from "../../http/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { assignRecord, type ConsentGiven, designateParty } from "./assign.ts";
import { assignmentStates } from "./assignment.ts";
import { presentAssignment } from "./present.ts";
import { listAssignments } from "./store.ts";

const AssignmentView = Type.Object({
  envelope_id: idOf("envelope"),
  seq: Type.Integer(),
  secured_party: SecuredPartyShape,
  consent: nullable(
    Type.Object({
      method: Type.String(),
      given_by: Type.Object({ name: Type.String(), email: nullable(Type.String()) }),
      statement: nullable(Type.String()),
      given_at: Timestamp,
    }),
  ),
  status: Type.Enum([...assignmentStates]),
  recorded_at: Timestamp,
});

const AssignBody = Type.Object({
  secured_party: SecuredPartyShape,
  consent: Type.Object({
    method: Type.Enum(["written", "email_confirmation"]),
    given_by: Type.Object({ name: Name, email: Type.Optional(Email) }),
    statement: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
    given_at: Timestamp,
  }),
  present_seq: Type.Optional(
    Type.Integer({ minimum: 1, description: "The seq of the party whose consent this is; if another is on record by now, 409" }),
  ),
});

const first = {
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  seq: 1,
  secured_party: { name: "First Example Bank, N.A.", role: "Lender" },
  consent: null,
  status: "effective",
  recorded_at: "2026-01-05T09:30:00.000Z",
};
const consent = {
  method: "written",
  given_by: { name: "Ann", email: "ann@example.com" },
  statement: "We assign the lease to Second Example Bank.",
  given_at: "2026-02-01T12:00:00.000Z",
};
const second = { ...first, seq: 2, secured_party: { name: "Second Example Bank" }, consent, recorded_at: "2026-02-02T08:00:00.000Z" };

const mayWrite = { anyScope: ["vault:write"] } as const;
const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;

/** To whom a record is assigned, and how that changes. */
export function assignmentEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "designate_secured_party",
      summary: "Name the first secured party",
      method: "PUT",
      path: "/partner/envelopes/:envelope_id/secured-party",
      access: mayWrite,
      ...oneEnvelope,
      body: SecuredPartyShape,
      answer: [200, AssignmentView],
      problems: ["envelope_wrong_status", "copy_wrong_state", "secured_party_on_record"],
      examples: { request: first.secured_party, answer: first },
      run: async (caller, { params, body }) => presentAssignment(await designateParty(deps, caller, params.envelope_id, body)),
    }),
    endpoint({
      name: "assign_record",
      summary: "Assign the record to another party, with the consent of the present one",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/assignments",
      access: mayWrite,
      ...oneEnvelope,
      body: AssignBody,
      answer: [201, AssignmentView],
      problems: ["envelope_wrong_status", "copy_wrong_state", "secured_party_missing", "assignee_changed"],
      examples: { request: { secured_party: second.secured_party, consent, present_seq: 1 }, answer: second },
      run: async (caller, { params, body: { secured_party, consent: given, present_seq } }) => {
        const assigning = { party: secured_party, consent: given as ConsentGiven, present_seq };
        return presentAssignment(await assignRecord(deps, caller, params.envelope_id, assigning));
      },
    }),
    listing({
      name: "list_assignments",
      summary: "The register of assignees, newest first",
      path: "/partner/envelopes/:envelope_id/assignments",
      access: { anyScope: ["vault:read"] },
      ...oneEnvelope,
      item: AssignmentView,
      examples: { answer: second },
      run: async (caller, { params, page, limit }, read) => {
        await findStatus(read, caller.org, params.envelope_id);
        const { items, total } = await listAssignments(read, caller.org, params.envelope_id, { page, limit });
        return { items: items.map(presentAssignment), total };
      },
    }),
  ];
}
