import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import type { CustomerId, OrgId, UserId, VaultTransferId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { vaultJobCaller } from "../copy.ts";
import { lockMember } from "../custody/store.ts";
import { transferClosed } from "./ended-transfers.ts";
import { hasCustomer } from "./import-store.ts";
import type { LinkDeps, VaultTransfer } from "./link.ts";
import { isLineageLive, lockTransfer, lookUpTransfer, moveTransfer } from "./store.ts";
import { stateAfter } from "./transfer.ts";

/** What a person at the receiver decides, and the service when it cannot take the record. */

export interface Acceptance {
  readonly customer_id: CustomerId;
  readonly custodian_user_id: UserId;
}

/** Takes the offer: names the customer that the record will belong to, and its custodian. */
export function acceptTransfer(
  deps: Pick<LinkDeps, "db">,
  caller: Caller,
  transfer_id: VaultTransferId,
  { customer_id, custodian_user_id }: Acceptance,
): Promise<VaultTransfer> {
  const { org, actor } = caller;
  return deps.db.tx(org, async (tx) => {
    const one = await lockTransfer(tx, org, transfer_id, "in");
    if (one === null) throw new Problem("vault_transfer_not_found");
    if (stateAfter("in", one.state, "take") === null) throw transferClosed(one);
    if (!(await hasCustomer(tx, org, customer_id)))
      throw invalidField("customer_id", "not_found", "must be a customer of the organization");
    if (!(await lockMember(tx, org, custodian_user_id)))
      throw invalidField("custodian_user_id", "not_found", "must be a member of the organization");
    if (await isLineageLive(tx, one.lineage_id, transfer_id)) throw new Problem("lineage_is_live");
    await moveTransfer(tx, org, one, "take", { customer_id, custodian_user_id, accepted_by: JSON.stringify(actor) });
    const data = { transfer_id, customer_id, custodian_user_id };
    await appendAudit(tx, org, { type: "transfer_in.accepted", by: caller, data });
    await enqueue(tx, "vault.continue-transfer", { org_id: org, transfer_id, direction: "in" });
    return (await lookUpTransfer(tx, org, transfer_id, "in")) as VaultTransfer;
  });
}

/** A person does not want the record. Possible until it is stored here. */
export function refuseTransfer(deps: Pick<LinkDeps, "db">, caller: Caller, transfer_id: VaultTransferId): Promise<VaultTransfer> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const one = await lockTransfer(tx, org, transfer_id, "in");
    if (one === null) throw new Problem("vault_transfer_not_found");
    if (stateAfter("in", one.state, "refuse") === null) throw transferClosed(one);
    await refuse(tx, caller, one, "declined");
    return (await lookUpTransfer(tx, org, transfer_id, "in")) as VaultTransfer;
  });
}

/** The service cannot take it, for a reason that another attempt would find too. Nothing if it has ended meanwhile. */
export function refuseUnfit(deps: Pick<LinkDeps, "db">, org: OrgId, transfer_id: VaultTransferId, reason: string): Promise<void> {
  return deps.db.tx(org, async (tx) => {
    const one = await lockTransfer(tx, org, transfer_id, "in");
    if (one !== null && stateAfter("in", one.state, "refuse") !== null) await refuse(tx, vaultJobCaller(org), one, reason);
  });
}

/** Excludes the import by the same row: the first to commit decides. */
async function refuse(tx: Tx, caller: Caller, one: VaultTransfer, reason: string): Promise<void> {
  const { org } = caller;
  const { transfer_id } = one;
  await moveTransfer(tx, org, one, "refuse", { reason });
  await appendAudit(tx, org, { type: "transfer_in.refused", by: caller, data: { transfer_id, reason } });
  await enqueue(tx, "vault.continue-transfer", { org_id: org, transfer_id, direction: "in" });
}
