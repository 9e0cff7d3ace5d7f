import { kindOfLinkMessage, type LinkMessage, proveRelease, type RemoteTrust, readLinkMessage } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { isId, type OrgId, type VaultTransferId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { vaultJobCaller } from "../copy.ts";
import { lockCopyById } from "../copy-store.ts";
import { admitSender } from "./admit-sender.ts";
import { confirmReceipt, endRefused } from "./ended-transfers.ts";
import { type LinkDeps, type RemoteVault, type SignedMessage, TRANSFER_DAYS, type VaultTransfer } from "./link.ts";
import { isAbout } from "./message.ts";
import { insertTransfer, keepMessage, lockTransfer, lookUpMessage, lookUpTransfer, moveTransfer } from "./store.ts";
import { type Direction, effectOf, type MessageKind, messageKinds, messageOf, senderKinds, type TransferState } from "./transfer.ts";
import { vaultKeyOf } from "./vault-trust.ts";

/** A message whose sender has shown who it is. */
export interface Admitted {
  readonly org: OrgId;
  readonly direction: Direction;
  readonly kind: MessageKind;
  readonly message: LinkMessage;
  readonly signed: SignedMessage;
  readonly vault: RemoteVault;
  readonly trust: RemoteTrust;
}

/** The state here after the message, and the message of this side that the other may be waiting for. */
export interface Received {
  readonly transfer_id: VaultTransferId;
  readonly state: TransferState;
  readonly reply: SignedMessage | null;
}

/** Outside a transaction: reads the message, and finds out who signed it. `of`: as for `admitSender`. */
async function admitMessage(deps: LinkDeps, signed: SignedMessage, of?: OrgId): Promise<Admitted> {
  const message = readLinkMessage(signed.bytes);
  if (message === null) throw new Problem("message_malformed");
  const kind = kindOfLinkMessage(message) as MessageKind;
  const direction: Direction = (senderKinds as readonly string[]).includes(kind) ? "in" : "out";
  const [own, other] = direction === "in" ? [message.receiver, message.sender] : [message.sender, message.receiver];
  const notForUs = kind === "release" ? "release_not_for_this_vault" : "message_not_for_this_vault";
  const { org, vault, trust } = await admitSender(deps, signed, { own, other, key_id: message.key_id, at: message.at }, of, notForUs);
  if (message.type === "countersign/link/1/release") {
    const { fault } = proveRelease(message, trust.keys);
    if (fault !== null) throw new Problem("release_not_proven", fault);
  }
  return { org, direction, kind, message, signed, vault, trust };
}

/** One transaction: the move that the message makes, if any. A repeated message changes nothing and gets the same answer. */
function applyMessage(deps: Pick<LinkDeps, "db">, admitted: Admitted): Promise<Received> {
  const { org, direction, kind, message } = admitted;
  if (!messageKinds.includes(kind)) throw new Problem("message_malformed");
  return deps.db.tx(org, async (tx) => {
    const found = await lockWithCopy(tx, org, message.transfer_id, direction);
    if (found === null) return begin(tx, admitted);
    if (!isAbout(found, message) || found.vault_id !== admitted.vault.vault_id)
      throw new Problem("message_contradicts", "another transfer");
    const effect = effectOf(direction, found.state, kind);
    if (effect === "early") throw new Problem("message_out_of_order", `${kind} while ${found.state}`);
    await keepMessage(tx, org, found, kind, admitted.signed);
    if (effect === "moves") {
      await take(tx, admitted, found);
      await enqueue(tx, "vault.continue-transfer", { org_id: org, transfer_id: found.transfer_id, direction });
    }
    return answerOf(tx, org, message.transfer_id, direction);
  });
}

/** Of a record that leaves, the copy's row is locked before the transfer's. */
async function lockWithCopy(tx: Tx, org: OrgId, transfer_id: string, direction: Direction): Promise<VaultTransfer | null> {
  const found = await lookUpTransfer(tx, org, transfer_id, direction);
  if (found?.direction === "out" && found.copy_id !== null) await lockCopyById(tx, org, found.copy_id);
  return lockTransfer(tx, org, transfer_id, direction);
}

/** The first that this side hears of a transfer. */
async function begin(tx: Tx, admitted: Admitted): Promise<Received> {
  const { org, direction, kind, message, signed, vault } = admitted;
  const { transfer_id } = message;
  if (!isId("vaultTransfer", transfer_id)) throw new Problem("message_malformed");
  // What was withdrawn before its offer arrived never begins here.
  if (kind === "cancel") return { transfer_id, state: "cancelled", reply: null };
  if (message.type !== "countersign/link/1/offer" || direction !== "in") throw new Problem("vault_transfer_not_found");
  const by = vaultJobCaller(org);
  const { sender, receiver, lineage_id, copy_sha256, envelope_id, copy_id, envelope_name } = message;
  const inserted = await insertTransfer(tx, org, {
    transfer_id,
    direction,
    vault_id: vault.vault_id,
    sender_root: sender.root,
    sender_org_id: sender.org_id,
    receiver_root: receiver.root,
    receiver_org_id: receiver.org_id,
    lineage_id,
    copy_sha256,
    origin_envelope_id: envelope_id,
    origin_copy_id: copy_id,
    envelope_id: null,
    copy_id: null,
    envelope_name,
    act_id: null,
    created_by: by.actor,
    expires_at: new Date(Math.min(Date.parse(message.expires_at), tx.now.getTime() + 2 * TRANSFER_DAYS * 86_400_000)),
  });
  if (inserted) {
    await keepMessage(tx, org, { transfer_id, direction }, kind, signed);
    const data = { transfer_id, vault_id: vault.vault_id, vault_name: vault.name, envelope_name, lineage_id, copy_sha256 };
    await appendAudit(tx, org, { type: "transfer_in.offered", by, data });
  }
  return answerOf(tx, org, transfer_id, direction);
}

async function take(tx: Tx, { org, message, trust }: Admitted, one: VaultTransfer): Promise<void> {
  switch (message.type) {
    case "countersign/link/1/accept":
      if (vaultKeyOf(trust, message.vault_key_id, message.at) === null) throw new Problem("message_contradicts", "no such vault key");
      await moveTransfer(tx, org, one, "accept");
      return;
    case "countersign/link/1/package":
      await moveTransfer(tx, org, one, "package");
      return;
    case "countersign/link/1/ready": {
      const isSame =
        message.package_sha256 === one.package_sha256 &&
        message.chain_head.hash === one.packed_head?.hash &&
        message.chain_head.seq === one.packed_head.seq;
      if (!isSame) throw new Problem("message_contradicts", "another package");
      await moveTransfer(tx, org, one, "ready");
      return;
    }
    case "countersign/link/1/release":
      if (message.package_sha256 !== one.package_sha256) throw new Problem("message_contradicts", "another package");
      await moveTransfer(tx, org, one, "release");
      return;
    case "countersign/link/1/receipt":
      await confirmReceipt(tx, org, one, message);
      return;
    case "countersign/link/1/refusal":
      await endRefused(tx, org, one, message.reason);
      return;
    case "countersign/link/1/cancel": {
      await moveTransfer(tx, org, one, "cancel", { reason: message.reason, settled: true });
      const data = { transfer_id: one.transfer_id, reason: message.reason };
      await appendAudit(tx, org, { type: "transfer_in.cancelled", by: vaultJobCaller(org), data });
      return;
    }
    default:
      throw new Error(`${message.type} moves nothing`);
  }
}

/** The state here, and the latest message of this side, which the other may have missed. */
export async function answerOf(tx: Tx, org: OrgId, transfer_id: string, direction: Direction): Promise<Received> {
  const one = await lookUpTransfer(tx, org, transfer_id, direction);
  if (one === null) throw new Problem("vault_transfer_not_found");
  const kind = messageOf(direction, one.state);
  const reply = kind === null ? null : await lookUpMessage(tx, org, one, kind);
  return { transfer_id: one.transfer_id, state: one.state, reply };
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const receiveMessage = { admit: admitMessage, apply: applyMessage };
