import type pg from "pg";
import type { OrgId } from "../shared/ids.ts";
import { sql, type Tx } from "./sql.ts";

/**
 * Every advisory lock of the program. PostgreSQL knows them only by numbers, and two uses of one number wait for each other without a
 * reason that anyone sees. So no other file names a number or calls the functions; `locks.test.ts` searches the code and the database.
 */
export const locks = {
  /** `migrate`: two processes that create tables */
  migration: 5_012_001,
  /** one service per embedded database */
  service: 5_012_002,
  /** one sequencer of the log */
  log: 5_012_003,
  /** partitions of large tables: one process at a time adds and drops them */
  partitions: 5_012_004,
  /** the worker that counts for the metrics of the installation */
  gauges: 5_012_005,
  /** passwords of the logins of the embedded database */
  logins: 5_012_006,
  /** the tables of the job queue */
  queue: 5_012_007,
  /** one backup or restore of an installation at a time: both write into one folder, or replace all rows */
  copies: 5_012_008,
  /** readers of the installation's keys share it; a rotation takes it alone */
  keys: 5_012_030,
  /** the versions of APP_SECRET */
  secretVersions: 5_012_071,
} as const;

export type Lock = (typeof locks)[keyof typeof locks];

/** The first key of the locks of two keys, which the database keeps apart from those of one. The second is one of the 16 shards of organizations. */
export const DELIVERIES_CLASS = 5013;

/**
 * What a lock of one record can be of. Its key is the hash of this text and the record's id, so two different records could share a lock;
 * that only makes them wait for each other. `envelope-buckets`, `envelope-counts`, `sign_in_events` and `vault_no` are taken by functions of the database.
 */
export const recordLocks = [
  "bulk",
  "customers",
  "envelope-buckets",
  "envelope-counts",
  "fingerprints",
  "sandbox",
  "sandbox envelopes",
  "sign_in_events",
  "tags",
  "vault_no",
  "views",
  "webhook endpoints of",
] as const;

export type RecordLock = (typeof recordLocks)[number];

/** Until the transaction ends. */
export async function takeLock(tx: Tx, lock: Lock): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${lock})`);
}

/** Until the transaction ends, together with others that share it. */
export async function shareLock(tx: Tx, lock: Lock): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${lock})`);
}

/** Until the transaction ends. `id`: of the record, with everything that tells it apart; none for a lock that all organizations share. */
export async function lockRecord(tx: Tx, what: RecordLock, id: string | null): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${keyText(what, id)}, 0))`);
}

export async function shareRecord(tx: Tx, what: RecordLock, id: string | null): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(${keyText(what, id)}, 0))`);
}

/** SQL: a transaction that writes in a sandbox shares this lock, so that its reset waits. False while the reset has the lock. */
export const trySharingSandbox = (org: OrgId): string => `pg_try_advisory_xact_lock_shared(${sandboxKey(org)})`;

/** SQL: the same, but waits for the reset. */
export const sharingSandbox = (org: OrgId): string => `pg_advisory_xact_lock_shared(${sandboxKey(org)})`;

// An id contains no quotation mark.
const sandboxKey = (org: OrgId): string => `hashtextextended('${keyText("sandbox", org)}', 0)`;

const keyText = (what: RecordLock, id: string | null): string => (id === null ? what : `${what} ${id}`);

/** Until the connection ends. Needs a direct connection, not one of a pooler in transaction mode. */
export async function holdLock(client: Pick<pg.ClientBase, "query">, lock: Lock): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [lock]);
}

/** The same, but false while another connection has it. */
export async function tryHoldLock(client: Pick<pg.ClientBase, "query">, lock: Lock): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1) as held", [lock]);
  return rows[0]?.held === true;
}

/** Gives up what `holdLock` or `tryHoldLock` took. The next that waits has it at once. */
export async function letGo(client: Pick<pg.ClientBase, "query">, lock: Lock): Promise<void> {
  await client.query("select pg_advisory_unlock($1)", [lock]);
}
