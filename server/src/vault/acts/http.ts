import { Type } from "typebox";
import { acting, type Endpoint, endpoint, listing } from "../../http/endpoint.ts";
import { about, idOf, Reason, Sha256, Timestamp } from "../../http/shapes.ts";
import { keeperOf } from "../../shared/caller.ts";
import type { VaultDeps } from "../copy.ts";
import { RecipientShape } from "../exports/shapes.ts";
import { ACT_DAYS } from "./act.ts";
import { decideAct } from "./decide-act.ts";
import { cancelAct } from "./end-act.ts";
import { recordKinds } from "./kinds.ts";
import { presentAct } from "./present.ts";
import { type Proposal, proposeAct } from "./propose-act.ts";
import { listRequests, readAct } from "./read-act.ts";
import { ActStateShape, ActView, actExample, DecisionShape } from "./shapes.ts";
import { listActs } from "./store.ts";

const ActBody = Type.Object({
  kind: Type.Enum([...recordKinds]),
  reason: Reason,
  present_version: Type.Integer({
    minimum: 1,
    description:
      "control_version of the vault record, as you read it. Returns 409 if who controls or keeps the record changed in the meantime",
  }),
  party_id: Type.Optional(idOf("party")),
  share_bp: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: "In basis points; only for participate" })),
  user_id: Type.Optional(about(idOf("user"), "The custodian; for designate_custodian, move_custody and acknowledge_control")),
  hold_id: Type.Optional(about(idOf("legalHold"), "Only for release_hold")),
  vault_id: Type.Optional(about(idOf("remoteVault"), "Only for transfer_out")),
  recipient: Type.Optional(about(RecipientShape, "Who receives the original; for export_out and paper_out")),
});

const mayRead = { anyScope: ["vault:read"], custodian: "own" } as const;
const mayWrite = { anyScope: ["control:write"] } as const;
const oneAct = { params: { act_id: "act" }, missing: "act_not_found" } as const;

const proposal = { kind: "assign", reason: "Sale of the loan", present_version: 1, party_id: "pty_01h2xcejqtf2nbrexx3vqjhp42" };

/** Acts: proposing, deciding, cancelling and listing them. */
export function actEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "propose_act",
      summary: "Propose an act on a vaulted record",
      description: `Proposes a change of who controls or keeps the record. It takes effect when everyone in needs has confirmed, or immediately if no one is asked. After ${ACT_DAYS} days it expires, and it is superseded when another act takes effect first. What each kind needs is in docs/vault-api.md. transfer_out, export_out, paper_out and destroy also need the scope vault:release.`,
      resource: "Control",
      sdk: "acts.propose",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/acts",
      access: mayWrite,
      // Without anyone to ask, an act takes effect at once, also one with which the original leaves.
      stepUp: true,
      params: { envelope_id: "envelope" },
      missing: "envelope_not_found",
      body: ActBody,
      answer: [201, ActView],
      problems: [
        "envelope_not_vaulted",
        "copy_wrong_state",
        "control_changed",
        "party_not_enrolled",
        "party_not_found",
        "member_not_found",
        "hold_not_found",
        "pledge_not_found",
        "secured_party_on_record",
        "secured_party_missing",
        "transfer_pending",
        "copy_on_hold",
        "record_pledged",
        "retention_not_over",
        "object_lock_not_over",
        "receipt_on_record",
        "receipt_missing",
        "lineage_is_live",
        "no_principal",
      ],
      examples: { request: proposal, answer: actExample },
      run: async (caller, { params, body }) => presentAct(await proposeAct(deps, caller, params.envelope_id, body as Proposal)),
    }),
    listing({
      name: "list_acts",
      summary: "List acts",
      description:
        "Returns the acts of the organization, newest first. Poll with updated_since to learn about decisions. For a member with the role custodian: the acts on the records that they keep.",
      resource: "Control",
      sdk: "acts.list",
      path: "/partner/acts",
      access: mayRead,
      query: Type.Partial(
        Type.Object({
          state: ActStateShape,
          envelope_id: Type.String({ maxLength: 100 }),
          party_id: Type.String({ maxLength: 100, description: "Acts that ask this party" }),
          updated_since: Timestamp,
        }),
      ),
      item: ActView,
      examples: { answer: actExample },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listActs(read, caller.org, { ...query, keeper: keeperOf(caller) }, { page, limit });
        return { items: items.map(presentAct), total };
      },
    }),
    acting({
      name: "list_act_requests",
      summary: "List acts of others that ask this organization",
      description: "Returns the open acts of other organizations of this installation in which yours is a party, newest first.",
      resource: "Control",
      sdk: "acts.requests",
      path: "/partner/act-requests",
      access: { anyScope: ["vault:read", "control:approve"], custodian: "closed" },
      answer: [200, Type.Array(ActView)],
      examples: { answer: [actExample] },
      run: async (caller) => (await listRequests(deps, caller)).map(presentAct),
    }),
    acting({
      name: "get_act",
      summary: "Get an act",
      description:
        "Returns one act with its document, those it asks, and their decisions; also an act of another organization that asks yours.",
      resource: "Control",
      sdk: "acts.get",
      path: "/partner/acts/:act_id",
      access: { anyScope: ["vault:read", "control:approve"], custodian: "act_id" },
      ...oneAct,
      answer: [200, ActView],
      examples: { answer: actExample },
      run: async (caller, { params }) => presentAct(await readAct(deps, caller, params.act_id)),
    }),
    endpoint({
      name: "decide_act",
      summary: "Confirm or refuse an act",
      description:
        "Decides for this organization: as a party to another organization's act, as an admin, or as the custodian who receives a record. sha256 must be that of the act you read. No one decides about what they proposed, or decides twice; all keys that one person created count as that person. Idempotency-Key is not supported, because an act of another organization is decided in that organization's transaction: after a lost response, read the act.",
      resource: "Control",
      sdk: "acts.decide",
      idempotent: false,
      method: "POST",
      path: "/partner/acts/:act_id/decision",
      access: { anyScope: ["control:approve", "custody:write"], custodian: "act_id" },
      stepUp: true,
      ...oneAct,
      body: Type.Object({ decision: DecisionShape, sha256: Sha256, reason: Type.Optional(Reason) }),
      answer: [200, ActView],
      problems: [
        "registration_required",
        "act_closed",
        "not_asked",
        "same_principal",
        "no_principal",
        "copy_wrong_state",
        "receipt_on_record",
        "receipt_missing",
        "lineage_is_live",
        "receiver_gone",
        "custody_changed",
        "envelope_not_vaulted",
      ],
      examples: { request: { decision: "confirm", sha256: actExample.sha256 }, answer: { ...actExample, state: "effective" } },
      run: async (caller, { params, body }) =>
        presentAct(await decideAct(deps, caller, params.act_id, body as Parameters<typeof decideAct>[3])),
    }),
    endpoint({
      name: "cancel_act",
      summary: "Cancel an act",
      description: "Withdraws an open act of your organization. Nothing changes for the record.",
      resource: "Control",
      sdk: "acts.cancel",
      method: "POST",
      path: "/partner/acts/:act_id/cancel",
      access: mayWrite,
      ...oneAct,
      answer: [200, ActView],
      problems: ["act_closed", "envelope_not_vaulted"],
      examples: { answer: { ...actExample, state: "cancelled" } },
      run: async (caller, { params }) => presentAct(await cancelAct(deps, caller, params.act_id)),
    }),
  ];
}
