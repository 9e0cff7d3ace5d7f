import type { ReceiptMessage } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import { readChain } from "../../audit/read-chain.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { oneLine } from "../../mail/plain-text.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ActId, AuthoritativeCopyId, EnvelopeId, OrgId, PermissionId, VaultTransferId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { type LockedCopy, requireState, vaultJobCaller } from "../copy.ts";
import { lockCopyById, setCopyState } from "../copy-store.ts";
import { reinstateCustodian } from "../custody/store.ts";
import { returnTampered } from "../exports/store.ts";
import type { LinkDeps, VaultTransfer } from "./link.ts";
import { findVault } from "./remote-store.ts";
import { isLineageLive, lockTransfer, lookUpReleased, lookUpTransfer, moveTransfer } from "./store.ts";
import { stateAfter } from "./transfer.ts";

/**
 * How transfers end at the sender: withdrawn, refused by the receiver, confirmed by its receipt, or recovered without an answer. The copy's
 * row is locked first.
 */

/** A person takes the offer back. 409 once the record was released, because it may be the other vault's by then. */
export function cancelTransfer(deps: Pick<LinkDeps, "db">, caller: Caller, transfer_id: VaultTransferId): Promise<VaultTransfer> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const one = await lockOut(tx, org, transfer_id);
    if (one === null) {
      const incoming = await lookUpTransfer(tx, org, transfer_id, "in");
      throw incoming === null ? new Problem("vault_transfer_not_found") : transferClosed(incoming);
    }
    if (stateAfter("out", one.state, "withdraw") === null) throw transferClosed(one);
    await withdraw(tx, caller, one, "cancelled");
    return (await lookUpTransfer(tx, org, transfer_id, "out")) as VaultTransfer;
  });
}

export const transferClosed = ({ state }: VaultTransfer): Problem => new Problem("vault_transfer_closed", "", { words: { state } });

/** The same by the service: the time is over, or the record changed. False if it was released or had ended meanwhile. */
export function withdrawTransfer(deps: Pick<LinkDeps, "db">, org: OrgId, transfer_id: VaultTransferId, reason: string): Promise<boolean> {
  return deps.db.tx(org, async (tx) => {
    const one = await lockOut(tx, org, transfer_id);
    if (one === null || stateAfter("out", one.state, "withdraw") === null) return false;
    await withdraw(tx, vaultJobCaller(org), one, reason);
    return true;
  });
}

export async function lockOut(tx: Tx, org: OrgId, transfer_id: VaultTransferId): Promise<VaultTransfer | null> {
  const found = await lookUpTransfer(tx, org, transfer_id, "out");
  if (found === null) return null;
  await lockCopyById(tx, org, found.copy_id as AuthoritativeCopyId);
  return lockTransfer(tx, org, transfer_id, "out");
}

async function withdraw(tx: Tx, caller: Caller, one: VaultTransfer, reason: string): Promise<void> {
  const { org } = caller;
  const copy = await lockCopyById(tx, org, one.copy_id as AuthoritativeCopyId);
  await returnCopy(tx, org, one, copy);
  await moveTransfer(tx, org, one, "withdraw", { reason });
  const { transfer_id, copy_id, envelope_id } = one as VaultTransfer & { envelope_id: EnvelopeId };
  await appendAudit(tx, org, { type: "vault.transfer_cancelled", by: caller, envelope_id, data: { transfer_id, copy_id, reason } });
  await enqueue(tx, "vault.continue-transfer", { org_id: org, transfer_id, direction: "out" });
}

/** Ends the escrow that this transfer began. */
async function returnCopy(tx: Tx, org: OrgId, { k_enc }: VaultTransfer, copy: LockedCopy): Promise<void> {
  if (k_enc === null) return;
  if (copy.state === "tampered") await returnTampered(tx, org, copy);
  else await setCopyState(tx, org, copy, "active");
}

/** The receiver signed that it does not take the record. After a release, the sender's copy is the original again. The caller holds the locks. */
export async function endRefused(tx: Tx, org: OrgId, one: VaultTransfer, reason: string): Promise<void> {
  const { transfer_id, envelope_id, copy_id } = one as VaultTransfer & { envelope_id: EnvelopeId; copy_id: AuthoritativeCopyId };
  const by = vaultJobCaller(org);
  const copy = await lockCopyById(tx, org, copy_id);
  const after_release = one.state === "released" || one.state === "recovered";
  if (one.state === "released") await takeBack(tx, org, copy, transfer_id);
  else await returnCopy(tx, org, one, copy);
  await moveTransfer(tx, org, one, "refusal", { reason, settled: true });
  const type = "vault.transfer_refused";
  const head = await appendAudit(tx, org, { type, by, envelope_id, data: { transfer_id, copy_id, reason, after_release } });
  if (after_release) await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash: head.hash } });
}

/** The sender's copy is the original again, and its custodian is who it was. */
async function takeBack(tx: Tx, org: OrgId, copy: LockedCopy, transfer_id: string): Promise<void> {
  requireState(copy, "transferred");
  await reinstateCustodian(tx, org, copy, await releasedPermission(tx, org, copy.envelope_id, transfer_id));
  await setCopyState(tx, org, copy, "active");
}

/**
 * The effect of the act `recover`: the receiver never answered the release, and is taken to be gone for good. Whether it has the record is not
 * known, so it is told that the transfer is cancelled for as long as it does not answer. The caller holds the lock of the copy.
 */
export async function recoverCopy(tx: Tx, caller: Caller, copy: LockedCopy, act_id: ActId): Promise<void> {
  const { org } = caller;
  const { transfer_id } = await findRecoverable(tx, org, copy);
  const one = await lockTransfer(tx, org, transfer_id, "out");
  if (one === null || stateAfter("out", one.state, "recover") === null)
    throw new Error(`${transfer_id} changed under the lock of its copy`);
  await takeBack(tx, org, copy, transfer_id);
  await moveTransfer(tx, org, one, "recover", { reason: "recovered" });
  const { copy_id, envelope_id, sha256: hash } = copy;
  const to = { root: one.receiver_root, org_id: one.receiver_org_id };
  await appendAudit(tx, org, { type: "vault.recovered", by: caller, envelope_id, data: { transfer_id, copy_id, hash, to, act_id } });
  await enqueue(tx, "vault.continue-transfer", { org_id: org, transfer_id, direction: "out" });
}

/** The transfer by which the copy left, if the receiver has not confirmed that it has the record. 409 otherwise. */
export async function findRecoverable(tx: Tx, org: OrgId, copy: LockedCopy): Promise<VaultTransfer> {
  requireState(copy, "transferred");
  const one = await lookUpReleased(tx, org, copy.copy_id);
  if (one === null) throw new Error(`${copy.copy_id} is transferred by no transfer`);
  if (one.state === "confirmed") throw new Problem("receipt_on_record");
  if (await isLineageLive(tx, one.lineage_id, one.transfer_id)) throw new Problem("lineage_is_live");
  return one;
}

async function releasedPermission(tx: Tx, org: OrgId, envelope_id: EnvelopeId, transfer_id: string): Promise<PermissionId> {
  const released = (await readChain(tx, org, envelope_id)).findLast(({ entry, data }) => {
    return entry.type === "vault.transferred" && (Object(data?.data) as { transfer_id?: unknown }).transfer_id === transfer_id;
  });
  const { permission_id } = Object(released?.data?.data) as { permission_id?: PermissionId };
  if (permission_id === undefined) throw new Error(`the release of ${transfer_id} is not in the chain`);
  return permission_id;
}

/**
 * The receiver has the record. If it was recovered here meanwhile, there are two originals: the trail says so, the record is evaluated again,
 * and the admins are told. The caller holds the locks.
 */
export async function confirmReceipt(tx: Tx, org: OrgId, one: VaultTransfer, receipt: ReceiptMessage): Promise<void> {
  const { transfer_id, envelope_id, copy_id } = one as VaultTransfer & { envelope_id: EnvelopeId; copy_id: AuthoritativeCopyId };
  const state = await moveTransfer(tx, org, one, "receipt", { settled: true });
  const there = { envelope_id: receipt.envelope_id, copy_id: receipt.copy_id, chain_head: { ...receipt.chain_head } };
  const type = state === "disputed" ? "vault.recovery_contradicted" : "vault.transfer_confirmed";
  const head = await appendAudit(tx, org, { type, by: vaultJobCaller(org), envelope_id, data: { transfer_id, copy_id, there } });
  await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash: head.hash } });
  if (state !== "disputed") return;
  const { name } = await findVault(tx, org, one.vault_id);
  await enqueue(tx, "orgs.notify-admins", { org_id: org, kind: "vault_disputed", ...disputeWords(one, name) });
}

function disputeWords({ envelope_id, envelope_name, transfer_id }: VaultTransfer, vault: string): { subject: string; text: string } {
  return {
    subject: `Two vaults hold the original of ${oneLine(envelope_name)}`,
    text: [
      `${oneLine(vault)} has signed that it stored the original of ${envelope_id} ("${oneLine(envelope_name)}") by the transfer ${transfer_id}. Your organization recovered this record, because no receipt had arrived.`,
      "Both copies are kept as originals now. Check 1 of the record fails from its next certificate on.",
      "Agree with the other organization which of the two copies ends, and end it there.",
    ].join("\n\n"),
  };
}
