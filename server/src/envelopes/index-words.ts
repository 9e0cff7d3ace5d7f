import { fillCustomerWords } from "../customers/words-store.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { type Backfill, fillWords, findBackfills, lockCursor, moveCursor } from "./words-store.ts";

// Takes about a second, for which changes of these records wait. Smaller batches spend more on commits.
const AT_ONCE = 1_000;
// Other jobs of the worker, and other organizations, get their turn in between.
const STOP_AFTER_MS = 10_000;
const ORGS_AT_ONCE = 100;

/**
 * Fills in the words of envelopes and customers that existed before there were words. Each batch moves the cursor in its own transaction,
 * so a job that is killed goes on where it stopped. Continues with another job while there is more.
 */
export async function indexWords({ db }: Pick<EnvelopeDeps, "db">, atOnce = AT_ONCE, stopAfter_ms = STOP_AFTER_MS): Promise<void> {
  const stopAt = performance.now() + stopAfter_ms;
  const open = await db.system((tx) => findBackfills(tx, ORGS_AT_ONCE));
  let left = open.length === ORGS_AT_ONCE;
  for (const backfill of open) {
    let more = true;
    while (more && performance.now() < stopAt) more = await fillSome({ db }, backfill, atOnce);
    left ||= more;
  }
  if (left) await db.system((tx) => enqueue(tx, "envelopes.index-words", {}, "envelopes.index-words"));
}

/** False once nothing is left. */
function fillSome({ db }: Pick<EnvelopeDeps, "db">, { org_id, name }: Backfill, atOnce: number): Promise<boolean> {
  return db.tx(org_id, async (tx) => {
    const cursor = await lockCursor(tx, org_id, name);
    if (cursor === null) return false;
    const last = await (name === "envelope-words" ? fillWords : fillCustomerWords)(tx, org_id, cursor, atOnce);
    await moveCursor(tx, org_id, name, last);
    return last !== null;
  });
}
