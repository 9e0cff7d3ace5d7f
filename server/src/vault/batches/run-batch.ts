import type { Jobs } from "../../jobs/catalogue.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { LinkDeps } from "../links/link.ts";
import { type ControlBatch, type Item, isActing } from "./batch.ts";
import { changeItem } from "./change-item.ts";
import { finishBatch } from "./finish-batch.ts";
import { evaluateItem, proveItem } from "./plain-items.ts";
import { findBatch, listWaiting, lockWaiting, settleItem } from "./store.ts";

// A job of this many changes of records takes about a second, and other jobs run between two of them.
const AT_ONCE = 50;

/**
 * Gives the next waiting items their result, each in a transaction of its own, and continues with a job for the rest. After a crash, a
 * second run finds only what still waits. An item that cannot take effect is skipped with the code of the reason. An item that fails for
 * another reason waits, and this job is tried again. The run after which nothing waits makes the report.
 */
export async function runBatch(deps: LinkDeps, job: Jobs["vault.run-batch"], atOnce = AT_ONCE): Promise<void> {
  const { org_id: org, control_batch_id, after } = job;
  const { batch, items } = await deps.db.tx(org, async (tx) => ({
    batch: await findBatch(tx, org, control_batch_id),
    items: await listWaiting(tx, org, control_batch_id, after, atOnce),
  }));
  const failures: unknown[] = [];
  for (const item of items) await runItem(deps, org, batch, item).catch((error: unknown) => failures.push(error));
  const last = items.length < atOnce ? undefined : items.at(-1);
  if (last !== undefined) await deps.db.tx(org, (tx) => enqueue(tx, "vault.run-batch", { ...job, after: last.index }));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${items.length} items failed`);
  if (last === undefined) await finishBatch(deps, org, control_batch_id);
}

async function runItem(deps: LinkDeps, org: OrgId, batch: ControlBatch, item: Item): Promise<void> {
  const { control_batch_id } = batch;
  try {
    if (isActing(batch.kind)) return await changeItem(deps, org, batch, item);
    // It may have been cancelled since the items were read.
    if (!(await deps.db.tx(org, (tx) => lockWaiting(tx, org, control_batch_id, item)))) return;
    const result = batch.kind === "evidence" ? await proveItem(deps, org, batch, item) : await evaluateItem(deps, org, batch, item);
    const settled = result === null ? ({ state: "skipped", code: "not_evaluated" } as const) : ({ state: "done", result } as const);
    await deps.db.tx(org, (tx) => settleItem(tx, org, control_batch_id, item, settled));
  } catch (error) {
    if (!(error instanceof Problem) || isPassing(error)) throw error;
    await deps.db.tx(org, (tx) => settleItem(tx, org, control_batch_id, item, { state: "skipped", code: error.code }));
  }
}

/** What may work in a minute: the store or the PDF engine is busy. */
const isPassing = ({ retryAfterSeconds, code }: Problem): boolean => retryAfterSeconds !== undefined || code === "storage_away";
