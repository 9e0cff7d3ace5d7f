import { Type } from "typebox";
import { type Endpoint, endpoint, listing, reading } from "../../http/endpoint.ts";
import { idOf, nullable, OptionalTimestamp, Timestamp } from "../../http/shapes.ts";
import { isId, type UserId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { acceptTransfer, cancelTransfer, rejectTransfer } from "./answer-transfer.ts";
import { initiateTransfer } from "./initiate-transfer.ts";
import { DEFAULT_TRANSFER_DAYS, MAX_TRANSFER_DAYS, transferStatuses } from "./permission.ts";
import { presentInitiated, presentTransfer } from "./present.ts";
import { findTransfer, listTransfers } from "./store.ts";

const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: "\\S" });
const Status = Type.Enum([...transferStatuses]);

const initiated = {
  permission_id: idOf("custodianPermission"),
  envelope_id: idOf("envelope"),
  from_user_id: idOf("user"),
  to_user_id: idOf("user"),
  status: Status,
  initiated_at: Timestamp,
  expires_at: Timestamp,
};
const InitiatedView = Type.Object(initiated);
const TransferView = Type.Object({
  ...initiated,
  reason: nullable(Type.String()),
  initiated_by: Type.Object({ kind: Type.String(), id: Type.String() }),
  decided_at: OptionalTimestamp,
});

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

const mayWrite = { anyScope: ["custody:write"] } as const;
const mayRead = { anyScope: ["custody:write", "vault:read"] } as const;
const oneTransfer = { params: { permission_id: "custodianPermission" }, missing: "transfer_not_found" } as const;

/** Who keeps an authoritative copy, and how that passes from one person to another. */
export function custodyEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "initiate_custody_transfer",
      summary: "Ask somebody to take custody of an authoritative copy",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/custody-transfers",
      access: mayWrite,
      params: { envelope_id: "envelope" },
      missing: "envelope_not_found",
      body: Type.Object({
        to_user_id: Type.String({ maxLength: 100 }),
        reason: Type.Optional(Reason),
        expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TRANSFER_DAYS, default: DEFAULT_TRANSFER_DAYS })),
      }),
      answer: [201, InitiatedView],
      problems: ["member_not_found", "envelope_not_vaulted", "copy_wrong_state", "transfer_pending"],
      examples: { request: { to_user_id: initiatedExample.to_user_id, reason: transferExample.reason }, answer: initiatedExample },
      run: async (caller, { params, body }) =>
        presentInitiated(await initiateTransfer(deps, caller, params.envelope_id, { ...body, to_user_id: userOf(body.to_user_id) })),
    }),
    listing({
      name: "list_custody_transfers",
      summary: "Custody transfers, newest first",
      path: "/partner/custody-transfers",
      access: mayRead,
      query: Type.Partial(
        Type.Object({
          to_user_id: Type.String({ maxLength: 100 }),
          from_user_id: Type.String({ maxLength: 100 }),
          envelope_id: Type.String({ maxLength: 100 }),
          status: Status,
        }),
      ),
      item: TransferView,
      examples: { answer: transferExample },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listTransfers(read, caller.org, query, { page, limit });
        return { items: items.map(presentTransfer), total };
      },
    }),
    reading({
      name: "get_custody_transfer",
      summary: "One custody transfer",
      path: "/partner/custody-transfers/:permission_id",
      access: mayRead,
      ...oneTransfer,
      answer: [200, TransferView],
      examples: { answer: transferExample },
      run: async (caller, { params }, read) => presentTransfer(await findTransfer(read, caller.org, params.permission_id)),
    }),
    endpoint({
      name: "accept_custody_transfer",
      summary: "Take custody, by another credential than the one that began the transfer; in the console, by the receiving person",
      method: "POST",
      path: "/partner/custody-transfers/:permission_id/accept",
      access: mayWrite,
      ...oneTransfer,
      answer: [200, TransferView],
      problems: ["transfer_of_your_own", "transfer_to_another", "transfer_closed", "copy_wrong_state", "receiver_gone", "custody_changed"],
      examples: { answer: acceptedExample },
      run: async (caller, { params }) => presentTransfer(await acceptTransfer(deps, caller, params.permission_id)),
    }),
    endpoint({
      name: "reject_custody_transfer",
      summary: "Refuse to take custody; who may accept may reject",
      method: "POST",
      path: "/partner/custody-transfers/:permission_id/reject",
      access: mayWrite,
      ...oneTransfer,
      body: Type.Object({ reason: Type.Optional(Reason) }),
      answer: [200, TransferView],
      problems: ["transfer_of_your_own", "transfer_to_another", "transfer_closed"],
      examples: { request: { reason: "Not my customer" }, answer: { ...acceptedExample, status: "rejected" } },
      run: async (caller, { params, body }) =>
        presentTransfer(await rejectTransfer(deps, caller, params.permission_id, body.reason ?? null)),
    }),
    endpoint({
      name: "cancel_custody_transfer",
      summary: "Take a custody transfer back before it is answered",
      method: "POST",
      path: "/partner/custody-transfers/:permission_id/cancel",
      access: mayWrite,
      ...oneTransfer,
      answer: [200, TransferView],
      problems: ["transfer_closed"],
      examples: { answer: { ...acceptedExample, status: "cancelled" } },
      run: async (caller, { params }) => presentTransfer(await cancelTransfer(deps, caller, params.permission_id)),
    }),
  ];
}

/** What is no id of a user is answered like a person who is not there. */
function userOf(text: string): UserId {
  if (!isId("user", text)) throw new Problem("member_not_found", "not an id");
  return text;
}
