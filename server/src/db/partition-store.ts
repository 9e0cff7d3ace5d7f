import { named, type Read, type Tx } from "./sql.ts";

/** Tables that are kept in partitions. The attempts of a delivery are in a partition with the same bounds as the delivery's. */
export const partitioned = ["events", "webhook_deliveries", "webhook_attempts", "log_leaves"] as const;
export type Partitioned = (typeof partitioned)[number];

export interface Partition {
  readonly parent: Partitioned;
  readonly name: string;
  /** the first id or number of it; null: the oldest one, which has no lower bound */
  readonly starts: string | null;
  /** the first id or number after it */
  readonly ends: string;
}

/** Of each table the oldest first. */
export async function listPartitions(read: Read): Promise<Partition[]> {
  const { rows } = await read.query<Partition>(named("list-partitions")`
    select parent, name, starts, ends from list_partitions() order by parent, length(ends), ends collate "C"`);
  return rows;
}

/** From where the last one ends. Throws after two seconds if something else has a lock on the table. */
export async function addPartition(tx: Tx, parent: Partitioned, ends: string): Promise<void> {
  await tx.query(named("add-partition")`select add_partition(${parent}, ${ends})`);
}

/** False if it is not so old, or something in it is still needed. Throws after two seconds if something else has a lock on the table. */
export async function dropPartition(tx: Tx, parent: Partitioned, ends: string, days: number): Promise<boolean> {
  const { rows } = await tx.query<{ dropped: boolean }>(named("drop-partition")`
    select drop_partition(${parent}, ${ends}, make_interval(days => ${days})) as dropped`);
  return rows[0]?.dropped === true;
}

/** The place in the log that the next entry gets. */
export async function readLeaves(read: Read): Promise<number> {
  const { rows } = await read.query<{ size: string }>(
    named("count-leaves")`select coalesce(max(leaf_index) + 1, 0) as size from log_leaves`,
  );
  return Number(rows[0]?.size);
}
