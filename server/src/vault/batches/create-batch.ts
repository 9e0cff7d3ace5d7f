import { type BatchTree, batchTree } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { type ControlBatchId, newId, type PartyId, type RemoteVaultId, type UserId } from "../../shared/ids.ts";
import { invalidField } from "../../shared/problems.ts";
import { ACT_DAYS, openNeeds } from "../acts/act.ts";
import { type ActDocument, nameParty } from "../acts/document.ts";
import { insertProposal } from "../acts/insert-proposal.ts";
import { refuseOtherMembers, refuseWithoutScope, subjectOf } from "../acts/propose-act.ts";
import { startBatch } from "../acts/start-batch.ts";
import { findAct } from "../acts/store.ts";
import type { VaultDeps } from "../copy.ts";
import { findPrincipal } from "../principal-store.ts";
import { refuseGated } from "../registry/refuse-gated.ts";
import { type ActingKind, type BatchKind, type ControlBatch, isActing } from "./batch.ts";
import { type Choice, chooseRecords, type VaultedCandidate } from "./choose-records.ts";
import { needsOfBatch } from "./needs-of-batch.ts";
import { findBatch, insertBatch, type NewItem } from "./store.ts";

export interface BatchInput extends Choice {
  readonly kind: BatchKind;
  readonly reason: string;
  readonly party_id?: PartyId;
  readonly user_id?: UserId;
  readonly vault_id?: RemoteVaultId;
}

/** Proposes one act on many records, or orders an evaluation or evidence of them, which starts at once. */
export function createBatch(deps: Pick<VaultDeps, "db">, caller: Caller, input: BatchInput): Promise<ControlBatch> {
  const { org } = caller;
  const { kind } = input;
  if (isActing(kind)) refuseOtherMembers({ ...input, kind });
  else refuseMembers(input);
  refuseWithoutScope(caller, input);
  return deps.db.tx(org, async (tx) => {
    await refuseGated(tx, org, kind);
    const records = await chooseRecords(tx, org, input);
    const control_batch_id = newId("controlBatch", tx.now.getTime());
    const items = records.map(itemOf);
    const tree = await batchTree(items);
    const propose = isActing(kind) ? await proposalOf(tx, caller, control_batch_id, { ...input, kind }, records, tree) : null;
    const created = { control_batch_id, kind, root: tree.root, count: items.length };
    const { hash: entry_hash } = await appendAudit(tx, org, { type: "control_batch.created", by: caller, data: created });
    const batch = { control_batch_id, kind, reason: input.reason, created_by: caller.actor, created_at: tx.now, entry_hash };
    await insertBatch(tx, org, batch, items, tree);
    if (propose === null) await enqueue(tx, "vault.run-batch", { org_id: org, control_batch_id, after: -1 });
    else await propose();
    return findBatch(tx, org, control_batch_id);
  });
}

/** Without an act there is no one and nothing to name. */
function refuseMembers(input: BatchInput): void {
  for (const member of ["party_id", "user_id", "vault_id"] as const) {
    if (input[member] !== undefined) throw invalidField(member, "unknown_field", `does not belong to a batch of kind ${input.kind}`);
  }
}

const itemOf = ({ envelope_id, sha256, control_version, envelope_name, present_party }: VaultedCandidate): NewItem => ({
  envelope_id,
  copy_sha256: sha256,
  expected_version: control_version,
  record_name: envelope_name,
  present_party,
});

/** Finds out whom the act asks, before anything is written; returns what writes it, once the batch exists. */
async function proposalOf(
  tx: Tx,
  caller: Caller,
  control_batch_id: ControlBatchId,
  input: BatchInput & { readonly kind: ActingKind },
  records: readonly VaultedCandidate[],
  { root }: BatchTree,
): Promise<() => Promise<void>> {
  const { org } = caller;
  const { kind, reason } = input;
  const principal = await findPrincipal(tx, caller);
  const subject = await subjectOf(tx, org, input);
  const needs = await needsOfBatch(tx, org, kind, subject, input, records);
  const document: ActDocument = {
    type: "countersign/act/1",
    act_id: newId("act", tx.now.getTime()),
    kind,
    org_id: org,
    envelope_id: null,
    batch: { control_batch_id, root, count: records.length },
    record_name: null,
    copy_sha256: null,
    present_version: null,
    // The same for all.
    present_party: records[0]?.present_party ?? null,
    reason,
    party: subject.party === null ? null : nameParty(subject.party),
    share_bp: null,
    user: subject.user,
    hold_id: null,
    vault: subject.vault,
    recipient: null,
    people: null,
    needs,
    proposed_at: tx.now.toISOString(),
    expires_at: new Date(tx.now.getTime() + ACT_DAYS * DAY_MS).toISOString(),
  };
  return async () => {
    await insertProposal(tx, caller, document, principal);
    const act = await findAct(tx, org, document.act_id);
    if (openNeeds(act).length === 0) await startBatch(tx, org, act);
    else await enqueue(tx, "vault.tell-asked", { org_id: org, act_id: act.act_id });
  };
}
