import { Type } from "typebox";
import { about, idOf, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../../http/shapes.ts";
import { ActorView } from "../shapes.ts";
import { actKinds, actStates, decisions, methods } from "./act.ts";

/** Schemas of acts. */

export const ActKindShape = named("ActKind", Type.Enum([...actKinds]));
export const ActStateShape = named("ActState", Type.Enum([...actStates]));
export const DecisionShape = named("ActDecision", Type.Enum([...decisions]));
const MethodShape = named(
  "ActMethod",
  Type.Enum([...methods], {
    description:
      "passkey: a signature over the act. code: a code sent to the person's address for this act. session, key: of a member or another organization. vault_key: another installation signed the decision of one of its members",
  }),
);

const NeedView = named(
  "ActNeed",
  Type.Object({
    role: Type.String({ description: "Why they are asked: controller, assignee, pledgee, party, custodian, admin or approver" }),
    party_id: nullable(idOf("party")),
    user_id: nullable(idOf("user")),
    name: Type.String(),
    asked: Type.Boolean({ description: "false: the party has no approver, and the control policy lets the act take effect without it" }),
    decided: Type.Boolean(),
    unreachable: Type.Array(Type.String(), {
      description:
        "Addresses of its people to which the request could not be delivered, or of the installation that did not take it. Empty for readers outside the organization",
    }),
  }),
);
const ApprovalView = named(
  "ActApproval",
  Type.Object({
    role: Type.String(),
    party_id: nullable(idOf("party")),
    by: ActorView,
    email: Type.String(),
    decision: DecisionShape,
    method: MethodShape,
    is_member: Type.Boolean({ description: "The person is also a member of the organization whose act it is" }),
    approvers_replaced: Type.Boolean({ description: "The organization had replaced the approvers of the party by then" }),
    at: Timestamp,
  }),
);

export const ActView = named(
  "Act",
  Type.Object({
    act_id: idOf("act"),
    kind: ActKindShape,
    state: ActStateShape,
    summary: Type.String({ description: "One line that says what is decided" }),
    org_name: about(nullable(Type.String()), "Of another organization's act that asks you: whose act it is. Null for an act of your own"),
    envelope_id: nullable(idOf("envelope")),
    document: Type.Object(
      {},
      { additionalProperties: true, description: "What those who decide agree to; sha256 is that of its canonical bytes (RFC 8785)" },
    ),
    sha256: Sha256,
    needs: Type.Array(NeedView),
    approvals: Type.Array(ApprovalView),
    proposed_by: ActorView,
    proposed_at: Timestamp,
    expires_at: Timestamp,
    waits_until: about(
      OptionalTimestamp,
      "When an act takes effect that two admins confirmed because no approver of the party can be reached, unless one of the party's people objects",
    ),
    closed_at: about(OptionalTimestamp, "When it took effect or ended"),
    updated_at: Timestamp,
  }),
);

/** The response to a call that did not do what it says, because another party or person has to agree. */
export const ActProposedView = named("ActProposed", Type.Object({ act_id: idOf("act"), status: Type.Enum(["proposed"]) }));

const document = {
  type: "countersign/act/1",
  kind: "assign",
  reason: "Sale of the loan",
  party: { party_id: "pty_01h2xcejqtf2nbrexx3vqjhp42", name: "Second Example Bank", identifier: null },
};
const need = {
  role: "controller",
  party_id: "pty_01h2xcejqtf2nbrexx3vqjhp41",
  user_id: null,
  name: "First Example Bank, N.A.",
  asked: true,
  decided: true,
  unreachable: [],
};
export const actExample = {
  act_id: "act_01h2xcejqtf2nbrexx3vqjhp41",
  kind: "assign",
  state: "proposed",
  summary: "Assign the record “Equipment lease 2026-114” from First Example Bank, N.A. to Second Example Bank",
  org_name: null,
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  document,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  needs: [need, { ...need, role: "assignee", party_id: document.party.party_id, name: document.party.name, decided: false }],
  approvals: [
    {
      role: "controller",
      party_id: need.party_id,
      by: { kind: "person", id: "ppl_01h2xcejqtf2nbrexx3vqjhp41" },
      email: "ann@bank.example",
      decision: "confirm",
      method: "passkey",
      is_member: false,
      approvers_replaced: false,
      at: "2026-01-06T08:00:00.000Z",
    },
  ],
  proposed_by: { kind: "key", id: "lk_01h2xcejqtf2nbrexx3vqjhp41" },
  proposed_at: "2026-01-05T09:30:00.000Z",
  expires_at: "2026-01-19T09:30:00.000Z",
  waits_until: null,
  closed_at: null,
  updated_at: "2026-01-06T08:00:00.000Z",
};
