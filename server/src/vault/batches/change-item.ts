import { hashOfJson, type Json } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { ActWithDecisions } from "../acts/act.ts";
import { type Control, lockControl } from "../acts/control.ts";
import { readDocument } from "../acts/document.ts";
import type { QuickKind } from "../acts/kind.ts";
import { kinds } from "../acts/kinds.ts";
import { lockAct } from "../acts/store.ts";
import { settleRecord } from "../acts/take-effect.ts";
import { requireState, type VaultDeps, vaultJobCaller } from "../copy.ts";
import type { ActingKind, ControlBatch, Item } from "./batch.ts";
import { lockWaiting, settleItem } from "./store.ts";

/**
 * The act takes effect on one record, as an act on this record alone would: under the locks of envelope, copy, act and audit chain, and
 * only on the version of control that those who confirmed saw. A Problem means that it cannot.
 */
export function changeItem(deps: Pick<VaultDeps, "db">, org: OrgId, batch: ControlBatch, item: Item): Promise<void> {
  const { control_batch_id, act_id } = batch;
  if (act_id === null) throw new Error(`${control_batch_id} has no act`);
  const caller = vaultJobCaller(org);
  return deps.db.tx(org, async (tx) => {
    const control = await lockControl(tx, org, item.envelope_id);
    const act = await lockAct(tx, org, act_id);
    if (!(await lockWaiting(tx, org, control_batch_id, item))) return;
    if (act.state !== "confirmed") throw new Error(`${act_id} is ${act.state}`);
    requireState(control.copy, "active");
    if (control.copy.control_version !== item.expected_version) throw new Problem("control_changed");
    await recordConfirmations(tx, caller, control, act, item);
    const kind: QuickKind = kinds[act.kind as ActingKind];
    await kind.propose?.(tx, caller, control, readDocument(act));
    await kind.takeEffect(tx, caller, control, act);
    await settleRecord(tx, caller, control, act, { control_batch_id, index: item.index });
    await settleItem(tx, org, control_batch_id, item, { state: "done" });
  });
}

/**
 * Until now, proposal and confirmations are in the chain of the organization alone. The record's own chain must say who confirmed, because
 * that is what its certificate rests on. The entries are the service's: they say when and by whom it happened.
 */
async function recordConfirmations(tx: Tx, by: Caller, control: Control, act: ActWithDecisions, { index }: Item): Promise<void> {
  const { org } = by;
  const { envelope_id, control_version: version } = control.copy;
  const { act_id, kind, sha256, control_batch_id } = act;
  const about = { act_id, kind, sha256, control_batch_id, index };
  const proposed = { ...about, version, proposed_by: { ...act.proposed_by }, proposed_at: act.proposed_at.toISOString() };
  await appendAudit(tx, org, { type: "act.proposed", by, envelope_id, data: proposed });
  for (const { role, party_id, principal_email: email, method, is_member, approvers_replaced, proof, actor, at } of act.approvals) {
    const proof_sha256 = proof === null ? null : hashOfJson(proof as Json);
    const decided = {
      role,
      party_id,
      email,
      method,
      is_member,
      ...(approvers_replaced && { approvers_replaced }),
      proof_sha256,
      reason: null,
    };
    const data = { ...about, ...decided, confirmed_by: { ...actor }, confirmed_at: at.toISOString() };
    await appendAudit(tx, org, { type: "act.confirmed", by, envelope_id, data });
  }
}
