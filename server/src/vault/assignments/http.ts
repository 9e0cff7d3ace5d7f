import { Type } from "typebox";
import { SecuredPartyShape } from "../../envelopes/shapes.ts";
import { findStatus } from "../../envelopes/store.ts";
import { type Endpoint, endpoint, listing } from "../../http/endpoint.ts";
import { about, Email, idOf, Name, named, nullable, OptionalTimestamp, Timestamp } from "../../http/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { AssignmentStatusShape } from "../shapes.ts";
import { assignRecord, type ConsentGiven, designateParty } from "./assign.ts";
import { confirmations } from "./assignment.ts";
import { presentAssignment } from "./present.ts";
import { listAssignments } from "./store.ts";

const ConsentView = named(
  "AssignmentConsent",
  Type.Object({
    method: Type.String({ description: "written: the caller attested it. act, correction: see act_id" }),
    given_by: nullable(named("AssignmentConsentGiver", Type.Object({ name: Type.String(), email: nullable(Type.String()) }))),
    statement: nullable(Type.String()),
    given_at: OptionalTimestamp,
    act_id: about(nullable(idOf("act")), "The act that the parties confirmed, or that corrected a name; null for written consent"),
  }),
);
const AssignmentView = named(
  "Assignment",
  Type.Object({
    envelope_id: idOf("envelope"),
    seq: Type.Integer({ description: "Position in the register, counted from 1" }),
    secured_party: SecuredPartyShape,
    consent: about(nullable(ConsentView), "The consent of the previous party; null for the first one"),
    status: AssignmentStatusShape,
    party_id: about(nullable(idOf("party")), "Null if the party is known by its name alone"),
    confirmation: Type.Enum([...confirmations], {
      description:
        "confirmed: the party confirmed with a credential of its own that the record is assigned to it. corrected: the next entry replaces a wrong name",
    }),
    act_id: about(nullable(idOf("act")), "The act by which the entry was made, confirmed or corrected"),
    recorded_at: Timestamp,
  }),
);

const ConsentBody = named(
  "AssignmentConsentInput",
  Type.Object({
    method: named(
      "AssignmentConsentMethod",
      Type.Enum(["written", "email_confirmation"], { description: "Only `written` is accepted in this version" }),
    ),
    given_by: named("AssignmentConsentGiverInput", Type.Object({ name: Name, email: Type.Optional(Email) })),
    statement: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
    given_at: about(Timestamp, "Not in the future"),
  }),
);
const AssignBody = Type.Object({
  secured_party: SecuredPartyShape,
  consent: about(ConsentBody, "The consent of the current secured party"),
  present_seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "Required: the seq of the party that gave the consent. Returns 409 if the secured party changed in the meantime",
    }),
  ),
});

const first = {
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  seq: 1,
  secured_party: { name: "First Example Bank, N.A.", role: "Lender" },
  consent: null,
  status: "effective",
  party_id: null,
  confirmation: "unconfirmed",
  act_id: null,
  recorded_at: "2026-01-05T09:30:00.000Z",
};
const consent = {
  method: "written",
  given_by: { name: "Ann", email: "ann@example.com" },
  statement: "We assign the lease to Second Example Bank.",
  given_at: "2026-02-01T12:00:00.000Z",
};
const second = {
  ...first,
  seq: 2,
  secured_party: { name: "Second Example Bank" },
  consent: { ...consent, act_id: null },
  recorded_at: "2026-02-02T08:00:00.000Z",
};

const mayWrite = { anyScope: ["vault:write"] } as const;
const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;

/** The register of secured parties: designation, assignments and their list. */
export function assignmentEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "designate_secured_party",
      summary: "Designate the first secured party",
      description:
        "Records the party to which the record is assigned, before or after vaulting. It satisfies compliance check 8 from the next evaluation on. To replace a party that is on record, use assign_record.",
      resource: "Vault",
      sdk: "vault.securedParty.designate",
      method: "PUT",
      path: "/partner/envelopes/:envelope_id/secured-party",
      access: mayWrite,
      ...oneEnvelope,
      body: SecuredPartyShape,
      answer: [200, AssignmentView],
      problems: ["envelope_wrong_status", "copy_wrong_state", "secured_party_on_record", "confirmation_required"],
      examples: { request: first.secured_party, answer: first },
      run: async (caller, { params, body }) => presentAssignment(await designateParty(deps, caller, params.envelope_id, body)),
    }),
    endpoint({
      name: "assign_record",
      summary: "Assign the record to another party",
      description:
        "Makes another party the assignee of the record. You attest that the current secured party has consented: not before it was recorded, and by one of its people if it has any. Refused while the copy is escrowed, after it was exported, while it is pledged, and under the control policy confirmed: propose an act of kind assign, which the parties confirm themselves.",
      resource: "Vault",
      sdk: "vault.assignments.create",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/assignments",
      access: mayWrite,
      ...oneEnvelope,
      body: AssignBody,
      answer: [201, AssignmentView],
      problems: [
        "envelope_wrong_status",
        "copy_wrong_state",
        "secured_party_missing",
        "assignee_changed",
        "party_not_enrolled",
        "registration_required",
        "confirmation_required",
      ],
      examples: { request: { secured_party: second.secured_party, consent, present_seq: 1 }, answer: second },
      run: async (caller, { params, body: { secured_party, consent: given, present_seq } }) => {
        const assigning = { party: secured_party, consent: given as ConsentGiven, present_seq };
        return presentAssignment(await assignRecord(deps, caller, params.envelope_id, assigning));
      },
    }),
    listing({
      name: "list_assignments",
      summary: "List the assignments of a record",
      description: "Returns the register of assignees of an envelope, newest first.",
      resource: "Vault",
      sdk: "vault.assignments.list",
      path: "/partner/envelopes/:envelope_id/assignments",
      access: { anyScope: ["vault:read"], custodian: "envelope_id" },
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
