import { cosignatureIn, readNote, readVkey, timeOfCosignature } from "@countersign/evidence";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";

/** The SQL of notes, witnesses and restarts. */

/** The name that was stored at first use, without the number of a restart; null if there is none yet. */
export async function lookUpFirstOrigin(read: Read): Promise<string | null> {
  const { rows } = await read.query<{ origin: string }>(sql`select origin from log_origin`);
  return rows[0]?.origin ?? null;
}

/** The name of the log now; null if none is stored yet. */
export async function lookUpOrigin(read: Read): Promise<string | null> {
  const { rows } = await read.query<{ origin: string }>(sql`
    select coalesce((select r.origin from log_restarts r order by r.start desc limit 1), o.origin) as origin from log_origin o`);
  return rows[0]?.origin ?? null;
}

/** Stores the name if there is none. Returns the stored one. */
export async function storeFirstOrigin(tx: Tx, origin: string): Promise<string> {
  await tx.query(sql`insert into log_origin (origin) values (${origin}) on conflict do nothing`);
  return (await lookUpFirstOrigin(tx)) ?? origin;
}

export interface RestartRow {
  readonly start: number;
  readonly origin: string;
  readonly bytes: Buffer;
  readonly hash: string;
  readonly at: Date;
}

/** Oldest first. */
export async function listRestarts(read: Read): Promise<RestartRow[]> {
  const { rows } = await read.query<RestartRow>(sql`select start, origin, bytes, hash, at from log_restarts order by start`);
  return rows;
}

/** Records a restart. Its hash becomes a leaf of the log. */
export async function insertRestart(tx: Tx, { start, origin, bytes, hash }: Omit<RestartRow, "at">): Promise<void> {
  await tx.query(sql`
    with queued as (insert into log_queue (hash) values (${hash}))
    insert into log_restarts (start, origin, bytes, hash) values (${start}, ${origin}, ${bytes}, ${hash})`);
}

/** Adds a note to the latest checkpoint if it has none. */
export async function addNote(tx: Tx, tree_size: number, note: Uint8Array): Promise<void> {
  await tx.query(sql`select add_note(${tree_size}, ${note})`);
}

export interface NoteRow {
  readonly tree_size: number;
  readonly note: Buffer;
}

const asNote = ({ tree_size, note }: { tree_size: string; note: Buffer }): NoteRow => ({ tree_size: Number(tree_size), note });

/** The note of the latest checkpoint that has one. */
export async function lookUpLatestNote(read: Read): Promise<NoteRow | null> {
  const { rows } = await read.query<{ tree_size: string; note: Buffer }>(sql`
    select tree_size, note from checkpoints where note is not null order by tree_size desc limit 1`);
  return rows[0] === undefined ? null : asNote(rows[0]);
}

/** The notes of all checkpoints with at least this many leaves, smallest first, at most `limit`. */
export async function listNotes(read: Read, from_size: number, limit: number): Promise<NoteRow[]> {
  const { rows } = await read.query<{ tree_size: string; note: Buffer }>(sql`
    select tree_size, note from checkpoints where note is not null and tree_size >= ${from_size} order by tree_size limit ${limit}`);
  return rows.map(asNote);
}

/** Whether a checkpoint of this size has a note under this name. */
export async function hasNote(read: Read, tree_size: number, origin: string): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from checkpoints where tree_size = ${tree_size} and position(${Buffer.from(`${origin}\n`)} in note) = 1`);
  return rows.length === 1;
}

export interface ListedCosignature {
  readonly tree_size: number;
  /** its name */
  readonly witness: string;
  /** its public key with the name, as text */
  readonly vkey: string;
  /** on the witness's clock */
  readonly at: string;
  /** whether it is this witness's cosignature of the checkpoint's note */
  readonly valid: boolean;
  readonly line: string;
}

interface CosignatureRow {
  readonly tree_size: string;
  readonly witness: string;
  readonly line: string;
  readonly note: Buffer;
  readonly at: Date;
}

/** Every cosignature of checkpoints with at least this many leaves, smallest first, at most `limit`. Each is verified again. */
export async function listCosignatures(read: Read, from_size: number, limit: number): Promise<ListedCosignature[]> {
  const { rows } = await read.query<CosignatureRow>(sql`
    select s.tree_size, s.witness, s.line, s.at, c.note from checkpoint_cosignatures s join checkpoints c using (tree_size)
    where s.line is not null and s.tree_size >= ${from_size} order by s.tree_size, s.checkpoint_cosignature_id limit ${limit}`);
  return rows.map(verifyAgain);
}

/** Of each witness, its first cosignature of a checkpoint with at least this many leaves. Each is verified again. */
export async function listFirstCosignatures(read: Read, from_size: number): Promise<ListedCosignature[]> {
  const { rows } = await read.query<CosignatureRow>(sql`
    select distinct on (s.witness) s.tree_size, s.witness, s.line, s.at, c.note
    from checkpoint_cosignatures s join checkpoints c using (tree_size)
    where s.line is not null and s.tree_size >= ${from_size} order by s.witness, s.tree_size, s.checkpoint_cosignature_id`);
  return rows.map(verifyAgain);
}

function verifyAgain({ tree_size, witness, line, note, at }: CosignatureRow): ListedCosignature {
  const key = readVkey(witness);
  const text = readNote(note)?.text ?? "";
  const found = key === null ? null : cosignatureIn(`${line}\n`, text, key);
  return {
    tree_size: Number(tree_size),
    witness: key?.name ?? witness,
    vkey: witness,
    at: found === null ? at.toISOString() : timeOfCosignature(found),
    valid: found !== null,
    line,
  };
}

/** The size of the largest note under this name that the witness cosigned; 0 if there is none. */
export async function readCosignedSize(read: Read, vkey: string, origin: string): Promise<number> {
  const { rows } = await read.query<{ size: string }>(sql`
    select coalesce(max(s.tree_size), 0) as size from checkpoint_cosignatures s join checkpoints c using (tree_size)
    where s.witness = ${vkey} and s.line is not null and position(${Buffer.from(`${origin}\n`)} in c.note) = 1`);
  return Number(rows[0]?.size);
}

export async function insertCosignature(
  tx: Tx,
  row: { readonly tree_size: number; readonly vkey: string } & ({ readonly line: string } | { readonly error: string }),
): Promise<void> {
  const [line, error] = "line" in row ? [row.line, null] : [null, row.error];
  await tx.query(sql`
    insert into checkpoint_cosignatures (tree_size, witness, line, error) values (${row.tree_size}, ${row.vkey}, ${line}, ${error})`);
}

export interface Conflict {
  /** the witness's public key with its name */
  readonly vkey: string;
  /** of the note that the witness refused */
  readonly tree_size: number;
  /** of the latest note that the witness cosigned, if it said so */
  readonly witness_size: number | null;
  readonly says: string;
  readonly at: Date;
}

/**
 * The conflicts that are open, one per witness, newest first. A conflict ends when the witness cosigns a later note, or when the log is
 * restarted.
 */
export async function listConflicts(read: Read): Promise<Conflict[]> {
  const { rows } = await read.query<{ witness: string; tree_size: string; witness_size: string | null; says: string; at: Date }>(sql`
    select * from (
      select distinct on (w.witness) w.witness, w.tree_size, w.witness_size, w.says, w.at from witness_conflicts w
      where not exists (
          select from checkpoint_cosignatures s where s.witness = w.witness and s.line is not null and s.at > w.at
        ) and not exists (select from log_restarts r where r.at > w.at)
      order by w.witness, w.witness_conflict_id desc
    ) open order by at desc`);
  return rows.map(({ witness, tree_size, witness_size, says, at }) => ({
    vkey: witness,
    tree_size: Number(tree_size),
    witness_size: witness_size === null ? null : Number(witness_size),
    says,
    at,
  }));
}

export async function insertConflict(tx: Tx, { vkey, tree_size, witness_size, says }: Omit<Conflict, "at">): Promise<void> {
  await tx.query(sql`
    insert into witness_conflicts (witness, tree_size, witness_size, says) values (${vkey}, ${tree_size}, ${witness_size}, ${says})`);
}

export interface LastAnswer {
  readonly tree_size: number;
  readonly error: string | null;
  readonly at: Date;
}

/** The latest answer of a witness, and its latest cosignature. */
export async function readLastAnswers(read: Read, vkey: string): Promise<{ answer: LastAnswer | null; cosigned: LastAnswer | null }> {
  const { rows } = await read.query<{ tree_size: string; error: string | null; at: Date }>(sql`
    (select tree_size, error, at from checkpoint_cosignatures where witness = ${vkey} order by checkpoint_cosignature_id desc limit 1)
    union all
    (select tree_size, error, at from checkpoint_cosignatures where witness = ${vkey} and line is not null
      order by checkpoint_cosignature_id desc limit 1)`);
  const answers = rows.map((row) => ({ ...row, tree_size: Number(row.tree_size) }));
  return { answer: answers[0] ?? null, cosigned: answers.findLast(({ error }) => error === null) ?? null };
}

export async function listOrgIds(tx: Tx): Promise<OrgId[]> {
  const { rows } = await tx.query<{ org_id: OrgId }>(sql`select org_id from list_orgs()`);
  return rows.map((row) => row.org_id);
}

/** The public keys of the log, oldest first. They are readable without APP_SECRET. */
export async function listLogKeys(read: Read): Promise<{ public_key: Buffer; not_after: Date | null }[]> {
  const { rows } = await read.query<{ public_key: Buffer; not_after: Date | null }>(sql`
    select public_key, not_after from instance_keys where purpose = 'log' order by generation`);
  return rows;
}
