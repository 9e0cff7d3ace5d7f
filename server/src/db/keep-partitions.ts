import { DAY_MS } from "../shared/durations.ts";
import { firstId, timeOf } from "../shared/ids.ts";
import type { Db } from "./connect.ts";
import { isLockTimeout } from "./errors.ts";
import { locks, takeLock } from "./locks.ts";
import {
  addPartition,
  dropPartition,
  listPartitions,
  type Partition,
  type Partitioned,
  partitioned,
  readLeaves,
} from "./partition-store.ts";
import type { Read, Tx } from "./sql.ts";

/** Large tables are kept in partitions, of a month, a week or 50 million rows each. There are always some for later. */

// Besides the one that is written now. A row without a partition could not be written.
const AHEAD = 3;
const LEAVES = 50_000_000;

/** Where rows are written now. */
interface Place {
  readonly now: number;
  readonly leaves: number;
}

interface Period {
  next(ends: string): string;
  reaches(ends: string, place: Place): boolean;
}

/** `following`: when the period after a time begins. */
const ofTime = (following: (at: number) => number): Period => ({
  next: (ends) => firstId("event", following(timeOf(ends))),
  reaches: (ends, { now }) => {
    let needed = following(now);
    for (let n = 0; n < AHEAD; n++) needed = following(needed);
    return timeOf(ends) >= needed;
  },
});

const month = ofTime((at) => {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
});
/** From Monday, as `date_trunc` has it. */
const week = ofTime((at) => {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() + 7 - ((day.getUTCDay() + 6) % 7));
});

const periods: Readonly<Record<Partitioned, Period>> = {
  events: month,
  webhook_deliveries: week,
  webhook_attempts: week,
  log_leaves: {
    next: (ends) => String(Number(ends) + LEAVES),
    reaches: (ends, { leaves }) => Number(ends) >= (Math.floor(leaves / LEAVES) + 1 + AHEAD) * LEAVES,
  },
};

type InTransaction = <T>(run: (tx: Tx) => Promise<T>) => Promise<T>;

/** Each in its own transaction, so that a lock is held for a moment. Returns how many were added. */
export async function addPartitions(inTransaction: InTransaction): Promise<number> {
  let added = 0;
  while (await inTransaction(addOne)) added++;
  return added;
}

async function addOne(tx: Tx): Promise<boolean> {
  await takeLock(tx, locks.partitions);
  const [first] = await listMissing(tx, tx.now.getTime());
  if (first === undefined) return false;
  await addPartition(tx, first.parent, periods[first.parent].next(first.ends));
  return true;
}

/** The last partition of each table that has too few for later. */
async function listMissing(read: Read, now: number): Promise<Partition[]> {
  const all = await listPartitions(read);
  const place: Place = { now, leaves: await readLeaves(read) };
  return partitioned.flatMap((parent) => {
    const last = all.findLast((one) => one.parent === parent);
    if (last === undefined) throw new Error(`${parent} has no partition`);
    return periods[parent].reaches(last.ends, place) ? [] : [last];
  });
}

/** Tables without partitions for three more periods. A new period has a day in which the daily job adds the next one. */
export async function lackPartitions(tx: Tx): Promise<readonly Partitioned[]> {
  return (await listMissing(tx, tx.now.getTime() - DAY_MS)).map(({ parent }) => parent);
}

export interface PartitionDeps {
  readonly db: Pick<Db, "system">;
  /** for which deliveries are kept at least */
  readonly deliveryDays: number;
  readonly eventDays: number;
}

/**
 * Adds partitions for later, and drops those past their retention. Deliveries go before their events. One that a reader has, such as a backup,
 * stays until the next day: who waits for it would hold up everyone else who wants the table.
 */
export async function keepPartitions({ db, deliveryDays, eventDays }: PartitionDeps): Promise<void> {
  await addPartitions((run) => db.system(run));
  await dropOld(db, "webhook_deliveries", deliveryDays);
  await dropOld(db, "events", eventDays);
}

async function dropOld(db: Pick<Db, "system">, parent: Partitioned, days: number): Promise<void> {
  const all = await db.system(async (tx) => {
    const before = tx.now.getTime() - days * DAY_MS;
    return (await listPartitions(tx)).filter((one) => one.parent === parent && timeOf(one.ends) <= before);
  });
  for (const { ends } of all) {
    await db
      .system(async (tx) => {
        await takeLock(tx, locks.partitions);
        await dropPartition(tx, parent, ends, days);
      })
      .catch((error: unknown) => {
        if (!isLockTimeout(error)) throw error;
      });
  }
}
