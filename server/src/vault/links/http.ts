import { Type } from "typebox";
import type { PeerPost } from "../../http/add-peer-posts.ts";
import { type Endpoint, endpoint, listing, reading } from "../../http/endpoint.ts";
import { about, idOf, Name, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../../http/shapes.ts";
import type { Caller } from "../../shared/caller.ts";
import type { CustomerId, UserId } from "../../shared/ids.ts";
import { presentReceivedAct } from "../remote-requests/present.ts";
import { receiveActMessage } from "../remote-requests/receive-act-message.ts";
import { cancelTransfer } from "./ended-transfers.ts";
import * as examples from "./examples.ts";
import type { LinkDeps, SignedMessage } from "./link.ts";
import { pinVault } from "./pin-vault.ts";
import { presentMessage, presentPiece, presentReceived, presentTransfer, presentVault } from "./present.ts";
import { receiveMessage } from "./receive-message.ts";
import { listVaults } from "./remote-store.ts";
import { removeVault } from "./remove-vault.ts";
import { servePiece } from "./serve-piece.ts";
import { messageOfBody, SignedBody, SignedView, signed } from "./shapes.ts";
import { findTransferOf, listMessages, listTransfers } from "./store.ts";
import { type Direction, directions, messageKinds, transferStates } from "./transfer.ts";
import { acceptTransfer, refuseTransfer } from "./transfer-decisions.ts";

const RemoteVaultView = named(
  "RemoteVault",
  Type.Object({
    vault_id: idOf("remoteVault"),
    name: Type.String(),
    url: Type.String(),
    root_sha256: about(Sha256, "SHA-256 of the root certificate of that installation"),
    org_id: about(idOf("org"), "The organization there"),
    state: Type.Enum(["pinned", "removed"]),
    pinned_at: Timestamp,
  }),
);

const TransferDirection = named("VaultTransferDirection", Type.Enum([...directions]));
const TransferStateShape = named("VaultTransferState", Type.Enum([...transferStates]));

const TransferView = named(
  "VaultTransfer",
  Type.Object({
    transfer_id: idOf("vaultTransfer"),
    direction: about(TransferDirection, "out: this organization sends the record; in: it receives it"),
    state: TransferStateShape,
    vault_id: idOf("remoteVault"),
    vault_name: about(Type.String(), "The name under which this organization pinned the other vault"),
    envelope_id: about(nullable(idOf("envelope")), "Of this organization; null at the receiver until the record is stored"),
    copy_id: nullable(idOf("authoritativeCopy")),
    origin_envelope_id: about(Type.String(), "Of the sender"),
    origin_copy_id: Type.String(),
    envelope_name: Type.String(),
    copy_sha256: about(Sha256, "SHA-256 of the authoritative copy"),
    lineage_id: about(Type.String(), "The first root that sealed the record and its copy ID there; the same wherever it goes"),
    act_id: about(nullable(Type.String()), "The act by which the controller confirmed it"),
    customer_id: nullable(idOf("customer")),
    custodian_user_id: nullable(idOf("user")),
    package_sha256: nullable(Sha256),
    reason: about(nullable(Type.String()), "Why it was cancelled or refused"),
    last_error: about(nullable(Type.String()), "Why the latest message could not be delivered, or the latest step not be done"),
    created_at: Timestamp,
    updated_at: Timestamp,
    expires_at: about(Timestamp, "When the sender takes back what it has not released"),
    closed_at: OptionalTimestamp,
    settled_at: about(OptionalTimestamp, "When the other vault had taken the last message"),
  }),
);

const MessageView = named(
  "LinkMessage",
  Type.Object({ kind: named("LinkMessageKind", Type.Enum([...messageKinds])), at: Timestamp, ...signed }),
);
const ReceivedView = named(
  "LinkMessageReceived",
  Type.Object({
    transfer_id: idOf("vaultTransfer"),
    state: about(TransferStateShape, "Of the side that took the message"),
    reply: about(nullable(SignedView), "The latest message of that side, which the sender may have missed"),
  }),
);
const maySetUp = { permission: "settings:manage" } as const;
const maySee = { anyScope: ["vault:release", "vault:write"] } as const;
const mayReceive = { anyScope: ["vault:write"] } as const;
const maySend = { anyScope: ["vault:release"] } as const;
const oneTransfer = { params: { transfer_id: "vaultTransfer" }, missing: "vault_transfer_not_found" } as const;

/** Transfers out are for those who may release, transfers in for those who may deposit. */
const visibleTo = ({ scopes }: Caller): Direction[] => [
  ...(scopes.includes("vault:release") ? (["out"] as const) : []),
  ...(scopes.includes("vault:write") ? (["in"] as const) : []),
];

const messageProblems = [
  "message_malformed",
  "message_not_signed",
  "message_not_for_this_vault",
  "release_not_for_this_vault",
  "release_not_proven",
  "message_contradicts",
  "message_out_of_order",
  "vault_not_pinned",
] as const;

/** Records that move between two installations. */
export const linkEndpoints = (deps: LinkDeps): Endpoint[] => [...remoteVaultEndpoints(deps), ...transferEndpoints(deps)];

function remoteVaultEndpoints(deps: LinkDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_remote_vault",
      summary: "Pin another vault",
      description:
        "Pins an organization of another installation, so that records can move between the two. The root must be known from elsewhere: the service fetches the trust document of that address and answers 422 unless this root has signed it. The other organization must pin this one too.",
      resource: "Vault transfers",
      sdk: "remoteVaults.create",
      method: "POST",
      path: "/partner/remote-vaults",
      access: maySetUp,
      body: Type.Object({
        url: Type.String({ maxLength: 2048, description: "The address of the installation: https, or http on this machine" }),
        root_sha256: about(Sha256, "SHA-256 of its root certificate"),
        org_id: about(idOf("org"), "The organization there"),
        name: Type.Optional(Name),
      }),
      answer: [201, RemoteVaultView],
      problems: ["vault_already_pinned"],
      examples: { request: examples.pinning, answer: examples.remoteVault },
      prepare: (member, { body }) => pinVault.prepare(deps, member, body),
      run: async (member, { body }, trust) => presentVault(await pinVault.save(deps, member, body, trust)),
    }),
    listing({
      name: "list_remote_vaults",
      summary: "List pinned vaults",
      description: "Returns the vaults that this organization has pinned, newest first.",
      resource: "Vault transfers",
      sdk: "remoteVaults.list",
      path: "/partner/remote-vaults",
      access: maySetUp,
      item: RemoteVaultView,
      examples: { answer: examples.remoteVault },
      run: async (member, { page, limit }, read) => {
        const { items, total } = await listVaults(read, member.org, { page, limit });
        return { items: items.map(presentVault), total };
      },
    }),
    endpoint({
      name: "delete_remote_vault",
      summary: "Unpin another vault",
      description:
        "Ends the link: nothing moves to or from this vault any more, and its open requests to you are closed. 409 while a transfer with it is under way, and while a party of yours that it stands for is asked by an open act, controls a record or holds a pledge on one.",
      resource: "Vault transfers",
      sdk: "remoteVaults.delete",
      method: "DELETE",
      path: "/partner/remote-vaults/:vault_id",
      access: maySetUp,
      params: { vault_id: "remoteVault" },
      missing: "remote_vault_not_found",
      answer: [200, RemoteVaultView],
      problems: ["vault_in_use"],
      examples: { answer: { ...examples.remoteVault, state: "removed" } },
      run: async (member, { params }) => presentVault(await removeVault(deps, member, params.vault_id)),
    }),
  ];
}

function transferEndpoints(deps: LinkDeps): Endpoint[] {
  return [
    listing({
      name: "list_vault_transfers",
      summary: "List vault transfers",
      description:
        "Returns the transfers of records to and from other vaults, newest first. A credential with vault:release sees those out, one with vault:write those in. Poll with updated_since: transfers dispatch no events of their own.",
      resource: "Vault transfers",
      sdk: "vaultTransfers.list",
      path: "/partner/vault-transfers",
      access: maySee,
      query: Type.Partial(
        Type.Object({
          direction: TransferDirection,
          state: TransferStateShape,
          envelope_id: Type.String({ maxLength: 100 }),
          updated_since: Timestamp,
        }),
      ),
      item: TransferView,
      examples: { answer: examples.transfer },
      run: async (caller, { query, page, limit }, read) => {
        const { updated_since, ...rest } = query;
        const filter = { ...rest, ...(updated_since !== undefined && { updated_since: new Date(updated_since) }) };
        const { items, total } = await listTransfers(read, caller.org, visibleTo(caller), filter, { page, limit });
        return { items: items.map(presentTransfer), total };
      },
    }),
    reading({
      name: "get_vault_transfer",
      summary: "Get a vault transfer",
      description: "Returns one transfer, as this organization's side has it.",
      resource: "Vault transfers",
      sdk: "vaultTransfers.get",
      path: "/partner/vault-transfers/:transfer_id",
      access: maySee,
      ...oneTransfer,
      answer: [200, TransferView],
      examples: { answer: examples.transfer },
      run: async (caller, { params }, read) =>
        presentTransfer(await findTransferOf(read, caller.org, params.transfer_id, visibleTo(caller))),
    }),
    reading({
      name: "list_vault_transfer_messages",
      summary: "List the messages of a vault transfer",
      description:
        "Returns every message of a transfer, sent and received, with its signature. Each can be handed to the other vault as a file if the two cannot reach each other.",
      resource: "Vault transfers",
      sdk: "vaultTransfers.messages",
      path: "/partner/vault-transfers/:transfer_id/messages",
      access: maySee,
      ...oneTransfer,
      answer: [200, Type.Array(MessageView)],
      examples: { answer: [examples.message] },
      run: async (caller, { params }, read) => {
        const one = await findTransferOf(read, caller.org, params.transfer_id, visibleTo(caller));
        return (await listMessages(read, caller.org, one)).map(presentMessage);
      },
    }),
    endpoint({
      name: "receive_vault_transfer_message",
      summary: "Hand over a message of another vault",
      description:
        "Takes a message of another vault that came as a file, as if that vault had sent it. It must be for this organization. A repeated message changes nothing.",
      resource: "Vault transfers",
      sdk: "vaultTransfers.receive",
      method: "POST",
      path: "/partner/vault-transfers/messages",
      access: maySee,
      body: SignedBody,
      answer: [200, ReceivedView],
      idempotent: false,
      problems: ["vault_transfer_not_found", ...messageProblems],
      examples: { request: examples.messageFile, answer: examples.received },
      prepare: (caller, { body }) => receiveMessage.admit(deps, messageOfBody(body), caller.org),
      run: async (_caller, _input, admitted) => presentReceived(await receiveMessage.apply(deps, admitted)),
    }),
    endpoint({
      name: "accept_vault_transfer",
      summary: "Accept a record of another vault",
      description:
        "Accepts an offered record, and names the customer that it will belong to and its custodian. The sender then packs it; after this vault has verified the package, the sender releases it, and it is stored here as a new envelope.",
      resource: "Vault transfers",
      sdk: "vaultTransfers.accept",
      method: "POST",
      path: "/partner/vault-transfers/:transfer_id/accept",
      access: mayReceive,
      ...oneTransfer,
      body: Type.Object({ customer_id: idOf("customer"), custodian_user_id: idOf("user") }),
      answer: [200, TransferView],
      problems: ["vault_transfer_closed", "lineage_is_live"],
      examples: { request: examples.acceptance, answer: examples.transferIn },
      run: async (caller, { params, body }) => {
        const named = { customer_id: body.customer_id as CustomerId, custodian_user_id: body.custodian_user_id as UserId };
        return presentTransfer(await acceptTransfer(deps, caller, params.transfer_id, named));
      },
    }),
    endpoint({
      name: "refuse_vault_transfer",
      summary: "Refuse a record of another vault",
      description: "Refuses an offered record. Possible until it is stored here; the sender's copy then stays, or is again, the original.",
      resource: "Vault transfers",
      sdk: "vaultTransfers.refuse",
      method: "POST",
      path: "/partner/vault-transfers/:transfer_id/refuse",
      access: mayReceive,
      ...oneTransfer,
      answer: [200, TransferView],
      problems: ["vault_transfer_closed"],
      examples: { answer: { ...examples.transferIn, state: "refused", reason: "declined" } },
      run: async (caller, { params }) => presentTransfer(await refuseTransfer(deps, caller, params.transfer_id)),
    }),
    endpoint({
      name: "cancel_vault_transfer",
      summary: "Cancel a vault transfer",
      description: "Takes an offer back. 409 once the record is released, because from then on it is the other vault's.",
      resource: "Vault transfers",
      sdk: "vaultTransfers.cancel",
      method: "POST",
      path: "/partner/vault-transfers/:transfer_id/cancel",
      access: maySend,
      ...oneTransfer,
      answer: [200, TransferView],
      problems: ["vault_transfer_closed"],
      examples: { answer: { ...examples.transfer, state: "cancelled", reason: "cancelled" } },
      run: async (caller, { params }) => presentTransfer(await cancelTransfer(deps, caller, params.transfer_id)),
    }),
  ];
}

/** A message about a transfer, or about an act that asks this installation or was asked by it. */
async function receive(deps: LinkDeps, message: SignedMessage): Promise<unknown> {
  if (receiveActMessage.isAct(message)) {
    return presentReceivedAct(await receiveActMessage.apply(deps, await receiveActMessage.admit(deps, message)));
  }
  return presentReceived(await receiveMessage.apply(deps, await receiveMessage.admit(deps, message)));
}

// The bytes of a message as base64 in JSON.
const MESSAGE_BYTES = 64 * 1024;

/** What another vault calls. It has no credential here: each message is signed, and names whom it is for. */
export function peerPosts(deps: LinkDeps): PeerPost<typeof SignedBody>[] {
  const post = { maxBodyBytes: MESSAGE_BYTES, body: SignedBody };
  return [
    {
      ...post,
      path: "/vault-link/v1/messages",
      run: (given) => receive(deps, messageOfBody(given)),
    },
    { ...post, path: "/vault-link/v1/packages", run: async (given) => presentPiece(await servePiece(deps, messageOfBody(given))) },
  ];
}
