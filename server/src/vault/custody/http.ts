import { Type } from "typebox";
import { type Endpoint, endpoint, listing, reading } from "../../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Reason, RoleName, Timestamp } from "../../http/shapes.ts";
import { keeperOf } from "../../shared/caller.ts";
import { isId, type UserId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { ActorView, TransferStatusShape } from "../shapes.ts";
import { listCustodians } from "./custodian-store.ts";
import { initiateTransfer } from "./initiate-transfer.ts";
import { DEFAULT_TRANSFER_DAYS, MAX_TRANSFER_DAYS } from "./permission.ts";
import { presentCustodian, presentInitiated, presentTransfer } from "./present.ts";
import { findTransfer, listTransfers } from "./store.ts";
import { acceptTransfer, cancelTransfer, rejectTransfer } from "./transfer-answers.ts";

const initiated = {
  permission_id: idOf("custodianPermission"),
  envelope_id: idOf("envelope"),
  from_user_id: idOf("user"),
  to_user_id: idOf("user"),
  status: TransferStatusShape,
  initiated_at: Timestamp,
  expires_at: Timestamp,
};
const InitiatedView = named("CustodyTransferInitiated", Type.Object(initiated));
const TransferView = named(
  "CustodyTransfer",
  Type.Object({
    ...initiated,
    reason: nullable(Type.String()),
    initiated_by: ActorView,
    decided_at: about(OptionalTimestamp, "When it was accepted, rejected or cancelled, or when it expired"),
  }),
);

const CustodianView = named(
  "Custodian",
  Type.Object({
    user_id: idOf("user"),
    name: Type.String(),
    email: Type.String(),
    role: about(nullable(RoleName), "null: no longer a member. Their copies need another custodian"),
    copies: Type.Integer({ minimum: 0, description: "Number of authoritative copies whose custodian is this person" }),
  }),
);

const custodianExample = {
  user_id: "usr_01h2xcejqtf2nbrexx3vqjhp41",
  name: "Ann",
  email: "ann@example.com",
  role: "member",
  copies: 12,
};
const initiatedExample = {
  permission_id: "cp_01h2xcejqtf2nbrexx3vqjhp41",
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  from_user_id: "usr_01h2xcejqtf2nbrexx3vqjhp41",
  to_user_id: "usr_01h2xcejqtf2nbrexx3vqjhp42",
  status: "pending",
  initiated_at: "2026-01-05T09:30:00.000Z",
  expires_at: "2026-01-12T09:30:00.000Z",
};
const transferExample = {
  ...initiatedExample,
  reason: "Ann leaves the company",
  initiated_by: { kind: "key", id: "lk_01h2xcejqtf2nbrexx3vqjhp41" },
  decided_at: null,
};
const acceptedExample = { ...transferExample, status: "accepted", decided_at: "2026-01-06T08:00:00.000Z" };

const mayList = { anyScope: ["custody:write", "vault:read"], custodian: "own" } as const;
const mayRead = { anyScope: ["custody:write", "vault:read"], custodian: "permission_id" } as const;
const mayAnswer = { anyScope: ["custody:write"], custodian: "permission_id" } as const;
const oneTransfer = { params: { permission_id: "custodianPermission" }, missing: "transfer_not_found" } as const;

/** Custodians and custody transfers. */
export function custodyEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "initiate_custody_transfer",
      summary: "Start a custody transfer",
      description:
        "Asks another member to become the custodian of an authoritative copy. The current custodian stays responsible until the transfer is accepted. A copy has at most one pending transfer. It expires after expires_in_days (default 7, at most 90). The event custodian.transfer follows.",
      resource: "Custody",
      sdk: "custody.transfers.create",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/custody-transfers",
      access: { anyScope: ["custody:write"], custodian: "envelope_id" },
      params: { envelope_id: "envelope" },
      missing: "envelope_not_found",
      body: Type.Object({
        to_user_id: Type.String({ maxLength: 100, description: "The member who is asked to take custody" }),
        reason: Type.Optional(Reason),
        expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TRANSFER_DAYS, default: DEFAULT_TRANSFER_DAYS })),
      }),
      answer: [201, InitiatedView],
      problems: ["member_not_found", "envelope_not_vaulted", "copy_wrong_state", "transfer_pending", "party_not_enrolled"],
      examples: { request: { to_user_id: initiatedExample.to_user_id, reason: transferExample.reason }, answer: initiatedExample },
      run: async (caller, { params, body }) =>
        presentInitiated(await initiateTransfer(deps, caller, params.envelope_id, { ...body, to_user_id: userOf(body.to_user_id) })),
    }),
    listing({
      name: "list_custody_transfers",
      summary: "List custody transfers",
      description:
        "Returns the custody transfers of the organization, newest first. For a member with the role custodian: those of the records that they keep.",
      resource: "Custody",
      sdk: "custody.transfers.list",
      path: "/partner/custody-transfers",
      access: mayList,
      query: Type.Partial(
        Type.Object({
          to_user_id: Type.String({ maxLength: 100 }),
          from_user_id: Type.String({ maxLength: 100 }),
          envelope_id: Type.String({ maxLength: 100 }),
          status: TransferStatusShape,
        }),
      ),
      item: TransferView,
      examples: { answer: transferExample },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listTransfers(read, caller.org, { ...query, keeper: keeperOf(caller) }, { page, limit });
        return { items: items.map(presentTransfer), total };
      },
    }),
    listing({
      name: "list_custodians",
      summary: "List custodians",
      description:
        "Lists the people who are or can become custodians of authoritative copies, by name, with the number of their copies. Use it to choose the new custodian for a transfer. A member with the role custodian finds only themselves.",
      resource: "Custody",
      sdk: "custody.custodians.list",
      path: "/partner/custodians",
      access: mayList,
      item: CustodianView,
      examples: { answer: custodianExample },
      run: async (caller, { page, limit }, read) => {
        const { items, total } = await listCustodians(read, caller.org, { page, limit }, keeperOf(caller));
        return { items: items.map(presentCustodian), total };
      },
    }),
    reading({
      name: "get_custody_transfer",
      summary: "Get a custody transfer",
      description: "Returns one custody transfer with its status and reason.",
      resource: "Custody",
      sdk: "custody.transfers.get",
      path: "/partner/custody-transfers/:permission_id",
      access: mayRead,
      ...oneTransfer,
      answer: [200, TransferView],
      examples: { answer: transferExample },
      run: async (caller, { params }, read) => presentTransfer(await findTransfer(read, caller.org, params.permission_id)),
    }),
    endpoint({
      name: "accept_custody_transfer",
      summary: "Accept a custody transfer",
      description:
        "Makes the receiving member the custodian and releases the previous one. Another person than the one who started the transfer must accept; all keys that one person created count as that person. In a console session only the receiving member can accept, and under the control policy confirmed only that member's own session or key. A secured party that must confirm the act does so first.",
      resource: "Custody",
      sdk: "custody.transfers.accept",
      method: "POST",
      path: "/partner/custody-transfers/:permission_id/accept",
      access: mayAnswer,
      ...oneTransfer,
      answer: [200, TransferView],
      problems: [
        "transfer_of_your_own",
        "transfer_to_another",
        "transfer_closed",
        "copy_wrong_state",
        "receiver_gone",
        "custody_changed",
        "confirmation_required",
        "no_principal",
      ],
      examples: { answer: acceptedExample },
      run: async (caller, { params }) => presentTransfer(await acceptTransfer(deps, caller, params.permission_id)),
    }),
    endpoint({
      name: "reject_custody_transfer",
      summary: "Reject a custody transfer",
      description: "Ends a pending transfer; the custodian stays the same. The same credential rules apply as for accepting.",
      resource: "Custody",
      sdk: "custody.transfers.reject",
      method: "POST",
      path: "/partner/custody-transfers/:permission_id/reject",
      access: mayAnswer,
      ...oneTransfer,
      body: Type.Object({ reason: Type.Optional(Reason) }),
      answer: [200, TransferView],
      problems: ["transfer_of_your_own", "transfer_to_another", "transfer_closed", "no_principal"],
      examples: { request: { reason: "Not my customer" }, answer: { ...acceptedExample, status: "rejected" } },
      run: async (caller, { params, body }) =>
        presentTransfer(await rejectTransfer(deps, caller, params.permission_id, body.reason ?? null)),
    }),
    endpoint({
      name: "cancel_custody_transfer",
      summary: "Cancel a custody transfer",
      description: "Withdraws a pending transfer; the custodian stays the same. The credential that started the transfer can cancel it.",
      resource: "Custody",
      sdk: "custody.transfers.cancel",
      method: "POST",
      path: "/partner/custody-transfers/:permission_id/cancel",
      access: mayAnswer,
      ...oneTransfer,
      answer: [200, TransferView],
      problems: ["transfer_closed"],
      examples: { answer: { ...acceptedExample, status: "cancelled" } },
      run: async (caller, { params }) => presentTransfer(await cancelTransfer(deps, caller, params.permission_id)),
    }),
  ];
}

/** Text that is not a user id gets the same response as an unknown person. */
function userOf(text: string): UserId {
  if (!isId("user", text)) throw new Problem("member_not_found", "not an id");
  return text;
}
