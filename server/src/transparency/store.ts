import type { Node, Place } from "@countersign/evidence";
import { locks, takeLock } from "../db/locks.ts";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { SignedCheckpoint } from "./checkpoint.ts";

/** One sequencer at a time across all processes. The lock ends with the transaction. */
export async function lockLog(tx: Tx): Promise<void> {
  await takeLock(tx, locks.log);
}

/** The number of leaves. */
export async function readSize(read: Read): Promise<number> {
  const { rows } = await read.query<{ size: string }>(sql`select coalesce(max(leaf_index) + 1, 0) as size from log_leaves`);
  return Number(rows[0]?.size);
}

/**
 * Turns the oldest queued entries into leaves and returns their hashes in order.
 *
 * Rows of concurrent transactions do not become visible in the order of their ids, and that is harmless. A transaction that appends to a
 * chain holds the chain's head until its commit, so the next entry of that chain gets a larger id and becomes visible later. Within one
 * chain, every visible entry therefore has all earlier entries visible too, with smaller ids. Rows are deleted when they are sequenced,
 * and no position is stored, so an id that becomes visible late is sequenced late but never lost. Waiting for the oldest running
 * transaction instead would also order entries across chains, which is not needed, and any long transaction would block the log.
 */
export async function sequenceSome(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ hash: string }>(sql`select hash from sequence_log(${limit}) order by leaf_index`);
  return rows.map((row) => row.hash);
}

export async function insertNodes(tx: Tx, nodes: readonly Node[]): Promise<void> {
  const [levels, indexes, hashes] = [nodes.map((one) => one.level), nodes.map((one) => one.index), nodes.map((one) => one.hash)];
  await tx.query(sql`
    insert into log_nodes (level, node_index, hash)
    select * from unnest(${levels}::smallint[], ${indexes}::bigint[], ${hashes}::text[])`);
}

/** Entry hashes at level 0, node hashes above; null if there is no row. In the order of `places`. */
export async function readPlaces(read: Read, places: readonly Place[]): Promise<(string | null)[]> {
  const [levels, indexes] = [places.map((one) => one.level), places.map((one) => one.index)];
  const { rows } = await read.query<{ hash: string | null }>(sql`
    select coalesce(n.hash, l.hash) as hash
    from unnest(${levels}::smallint[], ${indexes}::bigint[]) with ordinality as p (level, at, nth)
      left join log_nodes n on n.level = p.level and n.node_index = p.at
      left join log_leaves l on p.level = 0 and l.leaf_index = p.at
    order by p.nth`);
  return rows.map((row) => row.hash);
}

export interface NodeRange {
  readonly level: number;
  readonly first: number;
  readonly last: number;
}

/** Ranges of neighbouring nodes per level, unordered, for reading the whole tree. */
export async function readNodeRanges(read: Read, ranges: readonly NodeRange[]): Promise<Node[]> {
  const [levels, firsts, lasts] = [ranges.map((one) => one.level), ranges.map((one) => one.first), ranges.map((one) => one.last)];
  const { rows } = await read.query<{ level: number; node_index: string; hash: string }>(sql`
    select n.level, n.node_index, n.hash
    from unnest(${levels}::smallint[], ${firsts}::bigint[], ${lasts}::bigint[]) as r (level, first, last)
      join log_nodes n on n.level = r.level and n.node_index between r.first and r.last`);
  return rows.map(({ level, node_index, hash }) => ({ level, index: Number(node_index), hash }));
}

/** The hashes of the leaves from `from` to before `to`. Missing leaves are skipped. */
export async function readLeaves(read: Read, from: number, to: number): Promise<string[]> {
  const { rows } = await read.query<{ hash: string }>(sql`
    select hash from log_leaves where leaf_index >= ${from} and leaf_index < ${to} order by leaf_index`);
  return rows.map((row) => row.hash);
}

/** The positions of entries in the log. Entries that are not in it are omitted. */
export async function lookUpLeaves(read: Read, hashes: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await read.query<{ hash: string; leaf_index: string }>(sql`
    select hash, min(leaf_index) as leaf_index from log_leaves where hash = any(${hashes}) group by hash`);
  return new Map(rows.map(({ hash, leaf_index }) => [hash, Number(leaf_index)]));
}

interface CheckpointRow {
  tree_size: string;
  bytes: Buffer;
  signature: Buffer;
  note: Buffer | null;
}

const asCheckpoint = (row: CheckpointRow | undefined): SignedCheckpoint | null =>
  row === undefined ? null : { ...row, tree_size: Number(row.tree_size) };

export async function lookUpLatestCheckpoint(read: Read): Promise<SignedCheckpoint | null> {
  const { rows } = await read.query<CheckpointRow>(sql`
    select tree_size, bytes, signature, note from checkpoints order by tree_size desc limit 1`);
  return asCheckpoint(rows[0]);
}

export async function lookUpCheckpoint(read: Read, tree_size: number): Promise<SignedCheckpoint | null> {
  const { rows } = await read.query<CheckpointRow>(sql`
    select tree_size, bytes, signature, note from checkpoints where tree_size = ${tree_size}`);
  return asCheckpoint(rows[0]);
}

/** The earliest with at least this many leaves. */
export async function lookUpCheckpointFrom(read: Read, size: number): Promise<SignedCheckpoint | null> {
  const { rows } = await read.query<CheckpointRow>(sql`
    select tree_size, bytes, signature, note from checkpoints where tree_size >= ${size} order by tree_size limit 1`);
  return asCheckpoint(rows[0]);
}

export async function listCheckpoints(read: Read, above: number, to: number): Promise<SignedCheckpoint[]> {
  const { rows } = await read.query<CheckpointRow>(sql`
    select tree_size, bytes, signature, note from checkpoints where tree_size > ${above} and tree_size <= ${to} order by tree_size`);
  return rows.map((row) => ({ ...row, tree_size: Number(row.tree_size) }));
}

export async function insertCheckpoint(tx: Tx, { tree_size, bytes, signature, note }: SignedCheckpoint): Promise<void> {
  await tx.query(sql`insert into checkpoints (tree_size, bytes, signature, note) values (${tree_size}, ${bytes}, ${signature}, ${note})`);
}

/** Of the earliest checkpoint with a token, from this size on. */
export async function lookUpToken(read: Read, from_size: number): Promise<{ tree_size: number; token: Buffer } | null> {
  const { rows } = await read.query<{ tree_size: string; token: Buffer }>(sql`
    select tree_size, token from checkpoint_tokens
    where tree_size >= ${from_size} and token is not null order by tree_size, checkpoint_token_id limit 1`);
  const row = rows[0];
  return row === undefined ? null : { tree_size: Number(row.tree_size), token: row.token };
}

/** Tokens of checkpoints from this size on, in the order of their size. */
export async function listTokens(read: Read, from_size: number, limit: number): Promise<{ tree_size: number; token: Buffer }[]> {
  const { rows } = await read.query<{ tree_size: string; token: Buffer }>(sql`
    select tree_size, token from checkpoint_tokens
    where tree_size >= ${from_size} and token is not null order by tree_size, checkpoint_token_id limit ${limit}`);
  return rows.map(({ tree_size, token }) => ({ tree_size: Number(tree_size), token }));
}

export async function insertStamp(
  tx: Tx,
  tree_size: number,
  { token, error }: { token: Uint8Array | null; error: string | null },
): Promise<void> {
  await tx.query(sql`insert into checkpoint_tokens (tree_size, token, error) values (${tree_size}, ${token}, ${error})`);
}

export interface LogCheck {
  readonly log_check_id: string;
  readonly fault: string | null;
  readonly checked_at: Date;
}

export async function lookUpLatestCheck(read: Read): Promise<LogCheck | null> {
  const { rows } = await read.query<LogCheck>(
    sql`select log_check_id, fault, checked_at from log_checks order by log_check_id desc limit 1`,
  );
  return rows[0] ?? null;
}

export async function insertCheck(tx: Tx, tree_size: number, fault: string | null): Promise<void> {
  await tx.query(sql`insert into log_checks (tree_size, fault) values (${tree_size}, ${fault})`);
}

/** Records that no fault was found, unless one was found since the comparison started. */
export async function insertCleanCheck(tx: Tx, tree_size: number, since: LogCheck | null): Promise<void> {
  await tx.query(sql`
    insert into log_checks (tree_size) select ${tree_size}
    where (select max(log_check_id) from log_checks) is not distinct from ${since?.log_check_id ?? null}::bigint`);
}

/** The latest fault that has not been reported yet. Marks all of them as reported. */
export async function takeUnreportedFault(tx: Tx): Promise<string | null> {
  const { rows } = await tx.query<{ fault: string }>(sql`
    with told as (
      update log_checks set told_at = clock_timestamp() where fault is not null and told_at is null returning log_check_id, fault
    )
    select fault from told order by log_check_id desc limit 1`);
  return rows[0]?.fault ?? null;
}

/** Those of the given entries, which must be committed, that are neither in the log nor queued for it. */
export async function findUnlogged(read: Read, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await read.query<{ hash: string }>(sql`select hash from find_unlogged(${hashes})`);
  return rows.map((row) => row.hash);
}

/** The database's clock, after all waits of this transaction. */
export async function readClock(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>(sql`select clock_timestamp() as at`);
  return rows[0]?.at ?? tx.now;
}

export interface SealCertificate {
  readonly certificate_sha256: string;
  readonly not_before: Date;
  readonly not_after: Date;
  readonly revoked_at: Date | null;
  readonly invalid_from: Date | null;
  readonly reason: string | null;
}

/** Of all organizations, or of all sandboxes. */
export async function listSealsOf(read: Read, isTest: boolean): Promise<SealCertificate[]> {
  const { rows } = await read.query<SealCertificate>(sql`select * from list_seals_of(${isTest})`);
  return rows;
}

/** Of all organizations and sandboxes. */
export async function listSealCertificates(read: Read): Promise<SealCertificate[]> {
  const { rows } = await read.query<SealCertificate>(sql`select * from list_seal_certificates()`);
  return rows;
}
