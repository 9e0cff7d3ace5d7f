import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { findEnvelope } from "../../envelopes/store.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { listRoots } from "../../seals/store.ts";
import type { Caller } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { type EnvelopeId, newId, type OrgId, type RemoteVaultId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { sha256 } from "../../shared/secrets.ts";
import { requireState } from "../copy.ts";
import { lockCopy } from "../copy-store.ts";
import { refusePending } from "../custody/expire-transfers.ts";
import { refuseHeld } from "../keeping/store.ts";
import { TRANSFER_DAYS, type VaultTransfer } from "./link.ts";
import { findVault } from "./remote-store.ts";
import { insertTransfer, lookUpTransfer } from "./store.ts";

export interface Offer {
  readonly envelope_id: EnvelopeId;
  readonly vault_id: RemoteVaultId;
  /** of the act by which the controller confirmed it; null without one */
  readonly act_id: string | null;
  readonly caller: Caller;
}

/**
 * Offers a vaulted record to another vault, in the transaction of the act that decided so. Nothing has left yet: the copy stays active until
 * the other side accepts and it is packed.
 */
export async function offerTransfer(tx: Tx, org: OrgId, { envelope_id, vault_id, act_id, caller }: Offer): Promise<VaultTransfer> {
  const copy = await lockCopy(tx, org, envelope_id);
  requireState(copy, "active");
  await refusePending(tx, org, copy);
  await refuseHeld(tx, org, copy);
  const vault = await findVault(tx, org, vault_id);
  if (vault.state !== "pinned") throw new Problem("vault_not_pinned");
  const root = (await listRoots(tx)).at(-1);
  if (root === undefined) throw new Error("a vaulted record was sealed under no root");
  const { envelope_name } = await findEnvelope(tx, org, envelope_id);
  const transfer_id = newId("vaultTransfer", tx.now.getTime());
  const expires_at = new Date(copy.now.getTime() + TRANSFER_DAYS * DAY_MS);
  const parties = {
    sender_root: sha256(root).toString("hex"),
    sender_org_id: org,
    receiver_root: vault.root_sha256,
    receiver_org_id: vault.remote_org_id,
  };
  const inserted = await insertTransfer(tx, org, {
    transfer_id,
    direction: "out",
    vault_id,
    ...parties,
    lineage_id: copy.lineage_id,
    copy_sha256: copy.sha256,
    origin_envelope_id: envelope_id,
    origin_copy_id: copy.copy_id,
    envelope_id,
    copy_id: copy.copy_id,
    envelope_name,
    act_id,
    created_by: caller.actor,
    expires_at,
  });
  if (!inserted) throw new Problem("vault_transfer_pending");
  const data = { transfer_id, copy_id: copy.copy_id, vault_id, vault_name: vault.name, act_id, expires_at: expires_at.toISOString() };
  await appendAudit(tx, org, {
    type: "vault.transfer_offered",
    by: caller,
    envelope_id,
    data: { ...data, to: { root: vault.root_sha256, org_id: vault.remote_org_id } },
  });
  await enqueue(tx, "vault.continue-transfer", { org_id: org, transfer_id, direction: "out" });
  return (await lookUpTransfer(tx, org, transfer_id, "out")) as VaultTransfer;
}
