import type { ReceiptMessage } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import { readChain } from "../../audit/read-chain.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import type { AuthoritativeCopyId, EnvelopeId, OrgId, PermissionId, VaultTransferId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { type LockedCopy, vaultJobCaller } from "../copy.ts";
import { lockCopyById, setCopyState } from "../copy-store.ts";
import { reinstateCustodian } from "../custody/store.ts";
import { returnTampered } from "../exports/store.ts";
import type { LinkDeps, VaultTransfer } from "./link.ts";
import { lockTransfer, lookUpTransfer, moveTransfer } from "./store.ts";
import { stateAfter } from "./transfer.ts";

/** How transfers end at the sender: withdrawn, refused by the receiver, or confirmed by its receipt. The copy's row is locked first. */

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
  const after_release = one.state === "released";
  if (after_release) {
    await reinstateCustodian(tx, org, copy, await releasedPermission(tx, org, envelope_id, transfer_id));
    await setCopyState(tx, org, copy, "active");
  } else await returnCopy(tx, org, one, copy);
  await moveTransfer(tx, org, one, "refusal", { reason, settled: true });
  const type = "vault.transfer_refused";
  const head = await appendAudit(tx, org, { type, by, envelope_id, data: { transfer_id, copy_id, reason, after_release } });
  if (after_release) await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash: head.hash } });
}

async function releasedPermission(tx: Tx, org: OrgId, envelope_id: EnvelopeId, transfer_id: string): Promise<PermissionId> {
  const released = (await readChain(tx, org, envelope_id)).findLast(({ entry, data }) => {
    return entry.type === "vault.transferred" && (Object(data?.data) as { transfer_id?: unknown }).transfer_id === transfer_id;
  });
  const { permission_id } = Object(released?.data?.data) as { permission_id?: PermissionId };
  if (permission_id === undefined) throw new Error(`the release of ${transfer_id} is not in the chain`);
  return permission_id;
}

/** The receiver has the record. The caller holds the locks. */
export async function confirmReceipt(tx: Tx, org: OrgId, one: VaultTransfer, receipt: ReceiptMessage): Promise<void> {
  const { transfer_id, envelope_id, copy_id } = one as VaultTransfer & { envelope_id: EnvelopeId; copy_id: AuthoritativeCopyId };
  await moveTransfer(tx, org, one, "receipt", { settled: true });
  const there = { envelope_id: receipt.envelope_id, copy_id: receipt.copy_id, chain_head: { ...receipt.chain_head } };
  const type = "vault.transfer_confirmed";
  const head = await appendAudit(tx, org, { type, by: vaultJobCaller(org), envelope_id, data: { transfer_id, copy_id, there } });
  await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash: head.hash } });
}
