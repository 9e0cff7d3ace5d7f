import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ControlBatchId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { endAct } from "../acts/end-act.ts";
import { lockAct } from "../acts/store.ts";
import type { VaultDeps } from "../copy.ts";
import type { ControlBatch } from "./batch.ts";
import { findBatch, lockBatch, stopBatch } from "./store.ts";

/**
 * Withdraws a batch. With an act, until everyone has confirmed: then records change, and it cannot be stopped. Without one, at any time:
 * what has no result yet is skipped, and a report names what was done.
 */
export function cancelBatch(deps: Pick<VaultDeps, "db">, caller: Caller, control_batch_id: ControlBatchId): Promise<ControlBatch> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { act_id } = await findBatch(tx, org, control_batch_id);
    const act = act_id === null ? null : await lockAct(tx, org, act_id);
    const { state, finished_at } = await lockBatch(tx, org, control_batch_id);
    const isOpen = act === null ? state === "running" && finished_at === null : state === "proposed";
    if (!isOpen) throw new Problem("control_batch_closed", "", { words: { state } });
    if (act !== null) await endAct(tx, caller, null, act, "cancelled");
    else {
      await stopBatch(tx, org, control_batch_id, "control_batch_cancelled");
      await appendAudit(tx, org, { type: "control_batch.cancelled", by: caller, data: { control_batch_id } });
    }
    return findBatch(tx, org, control_batch_id);
  });
}
