import type { Db } from "../db/connect.ts";
import { locks, takeLock } from "../db/locks.ts";
import { repeatBatches } from "../db/repeat-batches.ts";
import { enqueueLater } from "../jobs/enqueue.ts";
import type { OrgId } from "../shared/ids.ts";
import { dropDeleted, listAllSandboxes, removeOldEnvelopes, removeRows } from "./reset-store.ts";

export interface SandboxDeps {
  readonly db: Db;
  /** after which envelopes are removed */
  readonly retentionDays: number;
}

/**
 * Removes the rows of a sandbox that is to be reset or deleted, batch by batch. What is left when time is over has another job. Between two
 * batches a job that was running can add a row, so it ends only with a batch that found none.
 */
export async function removeData({ db }: Pick<SandboxDeps, "db">, org: OrgId, batch?: number): Promise<void> {
  const removeSome = (limit: number): Promise<number> =>
    db.system(async (tx) => {
      // The sequencer adds the place in the log to entries that it took before.
      await takeLock(tx, locks.log);
      return removeRows(tx, org, limit);
    });
  await repeatBatches(removeSome, batch === undefined ? {} : { batch });
  const left = await removeSome(1);
  if (left > 0) await db.system((tx) => enqueueLater(tx, "sandbox.reset", { org_id: org }, 1));
}

// With everything about them these are some thousand rows.
const ENVELOPES_AT_ONCE = 50;

/** Every hour: removes old envelopes of sandboxes, finishes resets whose job failed, and drops deleted sandboxes whose files are gone. */
export async function cleanSandboxes({ db, retentionDays }: SandboxDeps): Promise<void> {
  for (const { org_id, is_resetting } of await db.system(listAllSandboxes)) {
    if (is_resetting) await removeData({ db }, org_id);
    else
      await repeatBatches((limit) => db.system((tx) => removeOldEnvelopes(tx, org_id, retentionDays, limit)), { batch: ENVELOPES_AT_ONCE });
  }
  await db.system(dropDeleted);
}
