import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { orgName } from "../envelopes/store.ts";
import { batchEnded, batchPaused } from "../mail/messages/batch.ts";
import { appendNotification } from "../notifications/append-notification.ts";
import { systemCaller } from "../shared/caller.ts";
import type { BatchId, OrgId, UserId } from "../shared/ids.ts";
import type { Batch, BulkDeps, PauseReason } from "./batch.ts";
import { putBackFaults } from "./row-store.ts";
import { maybeStartNext } from "./start-batch.ts";
import { countRows, findBatch, lockBatch, lockOrg, lookUpKeyOwner, setEnded, setPaused } from "./store.ts";

/** Ends a batch that has no row left to send, once, and lets the next one run. */
export function finishBatch(deps: BulkDeps, org: OrgId, batch_id: BatchId): Promise<void> {
  return deps.db.tx(org, async (tx) => {
    await lockOrg(tx, org);
    const { state, ready, ended_at } = await lockBatch(tx, org, batch_id);
    const isOpen = state === "running" || (state === "cancelled" && ended_at === null);
    if (isOpen && ready === 0) await endBatch(deps, tx, org, batch_id);
  });
}

/** The caller holds the locks of the organization and the batch. */
export async function endBatch(deps: BulkDeps, tx: Tx, org: OrgId, batch_id: BatchId): Promise<void> {
  await setEnded(tx, org, batch_id);
  const batch = await findBatch(tx, org, batch_id);
  const { state, sent, failed, skipped, invalid } = batch;
  // Nothing was sent of a batch that was never started, and its author cancelled it.
  if (batch.started_by !== null) {
    const data = { batch_id, state, sent, failed, skipped, invalid };
    await appendAudit(tx, org, { type: "batch.ended", by: byJob(org), data });
    const is_cancelled = state === "cancelled";
    const result = { sent, failed, skipped };
    const news = { kind: "batch_ended", batch_name: batch.name, ...result, ...(is_cancelled && { cancelled: true as const }) } as const;
    const mail = batchEnded({ ...(await factsOf(deps, tx, org, batch)), ...result, is_cancelled });
    await appendNotification(tx, org, { batch_id, people: await authorsOf(tx, org, batch) }, news, mail);
  }
  await maybeStartNext(tx, org);
}

/** Stops a batch until a person starts it again, and lets the next one run. Rows that failed for this reason alone wait again. */
export function pauseBatch(deps: BulkDeps, org: OrgId, batch_id: BatchId, run_no: number, reason: PauseReason): Promise<void> {
  return deps.db.tx(org, async (tx) => {
    await lockOrg(tx, org);
    const batch = await lockBatch(tx, org, batch_id);
    if (batch.state !== "running" || batch.run_no !== run_no) return;
    if (batch.fault_row !== null && batch.fault === reason) await putBackFaults(tx, org, batch_id, batch.fault_row);
    await setPaused(tx, org, batch_id, reason);
    await countRows(tx, org, batch_id);
    const news = { kind: "action_needed", because: "batch_paused", batch_name: batch.name } as const;
    const mail = batchPaused({ ...(await factsOf(deps, tx, org, batch)), reason });
    await appendNotification(tx, org, { batch_id, people: await authorsOf(tx, org, batch) }, news, mail);
    await maybeStartNext(tx, org);
  });
}

const byJob = (org: OrgId) => systemCaller(org, "countersign worker", "bulk.run");

async function factsOf({ envelopes }: BulkDeps, tx: Tx, org: OrgId, { batch_id, name }: Batch) {
  return { org_name: await orgName(tx, org), batch_name: name, url: `${envelopes.consoleUrl}/bulk/${batch_id}` };
}

/** The member who started it; of a key, the one who created the key. */
async function authorsOf(tx: Tx, org: OrgId, { started_by }: Batch): Promise<(UserId | null)[]> {
  if (started_by === null) return [];
  const { actor } = started_by;
  if (actor.kind === "user") return [actor.id];
  return actor.kind === "key" ? [await lookUpKeyOwner(tx, org, actor.id)] : [];
}
