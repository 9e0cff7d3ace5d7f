import type { Entry, EntryData, Json, LogRecordKind, WrittenLogRecord } from "@countersign/evidence";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

/** The SQL of renewing evidence: log records, and what stands for leaves under SHA-512. */

export interface TokenRow {
  readonly checkpoint_token_id: string;
  readonly tree_size: number;
  readonly token: Buffer;
}

const asToken = (row: { checkpoint_token_id: string; tree_size: string; token: Buffer }): TokenRow => ({
  ...row,
  tree_size: Number(row.tree_size),
});

/** Time stamps without a log record, oldest first. */
export async function listUnrecordedTokens(read: Read, limit: number): Promise<TokenRow[]> {
  const { rows } = await read.query<{ checkpoint_token_id: string; tree_size: string; token: Buffer }>(sql`
    select t.checkpoint_token_id, t.tree_size, t.token from checkpoint_tokens t
    where t.token is not null and not exists (select from log_records r where r.checkpoint_token_id = t.checkpoint_token_id)
    order by t.checkpoint_token_id limit ${limit}`);
  return rows.map(asToken);
}

export async function lookUpNewestToken(read: Read): Promise<TokenRow | null> {
  const { rows } = await read.query<{ checkpoint_token_id: string; tree_size: string; token: Buffer }>(sql`
    select checkpoint_token_id, tree_size, token from checkpoint_tokens
    where token is not null order by tree_size desc, checkpoint_token_id desc limit 1`);
  return rows[0] === undefined ? null : asToken(rows[0]);
}

/** The last stamped checkpoint above `above` that was stamped before `before`. */
export async function lookUpLastToken(read: Read, above: number, before: Date): Promise<TokenRow | null> {
  const { rows } = await read.query<{ checkpoint_token_id: string; tree_size: string; token: Buffer }>(sql`
    select checkpoint_token_id, tree_size, token from checkpoint_tokens
    where token is not null and tree_size > ${above} and asked_at < ${before}
    order by tree_size desc, checkpoint_token_id desc limit 1`);
  return rows[0] === undefined ? null : asToken(rows[0]);
}

/** The first time stamp of a checkpoint. */
export async function lookUpTokenOf(read: Read, tree_size: number): Promise<TokenRow | null> {
  const { rows } = await read.query<{ checkpoint_token_id: string; tree_size: string; token: Buffer }>(sql`
    select checkpoint_token_id, tree_size, token from checkpoint_tokens
    where token is not null and tree_size = ${tree_size} order by checkpoint_token_id limit 1`);
  return rows[0] === undefined ? null : asToken(rows[0]);
}

/** Whether a leaf from this index on is an entry, not a log record or a restart. */
export async function hasEntriesFrom(read: Read, index: number): Promise<boolean> {
  const { rows } = await read.query<{ found: boolean }>(sql`
    select exists (
      select from log_leaves l where l.leaf_index >= ${index}
        and not exists (select from log_records r where r.hash = l.hash) and not exists (select from log_restarts r where r.hash = l.hash)
    ) as found`);
  return rows[0]?.found === true;
}

export interface NewLogRecord extends WrittenLogRecord {
  readonly kind: LogRecordKind;
  readonly tree_size: number;
  readonly checkpoint_token_id?: string;
}

/** Queues the records for the log. A second insert of the same record does nothing. */
export async function insertLogRecords(tx: Tx, records: readonly NewLogRecord[]): Promise<void> {
  const hashes = records.map(({ hash }) => hash);
  const bytes = records.map((one) => Buffer.from(one.bytes));
  const [kinds, sizes] = [records.map(({ kind }) => kind), records.map(({ tree_size }) => tree_size)];
  const tokens = records.map(({ checkpoint_token_id = null }) => checkpoint_token_id);
  await tx.query(sql`
    with added as (
      insert into log_records (hash, bytes, kind, tree_size, checkpoint_token_id)
      select * from unnest(${hashes}::text[], ${bytes}::bytea[], ${kinds}::text[], ${sizes}::bigint[], ${tokens}::bigint[])
      on conflict do nothing returning hash, checkpoint_token_id
    )
    insert into log_queue (hash) select hash from added order by checkpoint_token_id`);
}

export async function insertLogObject(tx: Tx, hash: string, bytes: Uint8Array): Promise<void> {
  await tx.query(sql`insert into log_objects (hash, bytes) values (${hash}, ${bytes}) on conflict do nothing`);
}

export interface LogRecordRow {
  readonly hash: string;
  readonly bytes: Buffer;
}

export async function lookUpTokenRecord(read: Read, checkpoint_token_id: string): Promise<LogRecordRow | null> {
  const { rows } = await read.query<LogRecordRow>(sql`
    select hash, bytes from log_records where checkpoint_token_id = ${checkpoint_token_id}`);
  return rows[0] ?? null;
}

export interface LogObjectRow extends LogRecordRow {
  readonly kind: LogRecordKind;
  /** the object itself */
  readonly object: Buffer;
}

/** Kept objects whose records are in the first `tree_size` leaves, in the order of the log. */
export async function listLogObjects(read: Read, kinds: readonly LogRecordKind[], tree_size: number): Promise<LogObjectRow[]> {
  const { rows } = await read.query<LogObjectRow>(sql`
    select r.hash, r.bytes, r.kind, o.bytes as object
    from log_records r join log_objects o using (hash) join log_leaves l using (hash)
    where r.kind = any(${kinds}) and l.leaf_index < ${tree_size} order by l.leaf_index`);
  return rows;
}

/** The newest kept object of a kind. */
export async function lookUpLatestObject(read: Read, kind: LogRecordKind): Promise<Buffer | null> {
  const { rows } = await read.query<{ bytes: Buffer }>(sql`
    select o.bytes from log_records r join log_objects o using (hash) where r.kind = ${kind}
    order by r.tree_size desc, convert_from(r.bytes, 'UTF8')::jsonb ->> 'at' desc limit 1`);
  return rows[0]?.bytes ?? null;
}

export async function hasObject(read: Read, bytes: Uint8Array): Promise<boolean> {
  const { rows } = await read.query<{ found: boolean }>(sql`
    select exists (select from log_objects where sha256(bytes) = sha256(${bytes}::bytea)) as found`);
  return rows[0]?.found === true;
}

/** False if the notice was given before. */
export async function insertNotice(tx: Tx, notice: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`insert into renewal_notices (notice) values (${notice}) on conflict do nothing`);
  return rowCount === 1;
}

export async function listOrgIds(read: Read): Promise<OrgId[]> {
  const { rows } = await read.query<{ org_id: OrgId }>(sql`select org_id from list_orgs()`);
  return rows.map(({ org_id }) => org_id);
}

export interface EnvelopeRef {
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
}

export async function findEnvelopesToRehash(read: Read, again_seconds: number, limit: number): Promise<EnvelopeRef[]> {
  const { rows } = await read.query<EnvelopeRef>(sql`
    select org_id, envelope_id from find_envelopes_to_rehash(make_interval(secs => ${again_seconds}), ${limit})`);
  return rows;
}

/** The stored files of envelopes: versions of the document, certificates, an evidence file. */
export async function listStoredFiles(
  read: Read,
  org: OrgId,
  envelope_ids: readonly EnvelopeId[],
): Promise<{ envelope_id: EnvelopeId; sha256: string }[]> {
  const { rows } = await read.query<{ envelope_id: EnvelopeId; sha256: string }>(sql`
    select f.envelope_id, f.sha256 from (
      select envelope_id, sha256 from document_versions where org_id = ${org} and envelope_id = any(${envelope_ids})
      union
      select envelope_id, unnest(array[pdf_sha256, json_sha256, facts_sha256]) from certificates
      where org_id = ${org} and envelope_id = any(${envelope_ids})
      union
      select envelope_id, sha256 from evidence_files where org_id = ${org} and envelope_id = any(${envelope_ids})
    ) f join blobs b on b.org_id = ${org} and b.sha256 = f.sha256 and b.kept
    order by 1, 2`);
  return rows;
}

/** Returns those that no other run has recorded completely since. */
export async function insertRehashedEnvelopes(
  tx: Tx,
  org: OrgId,
  envelopes: readonly { readonly envelope_id: EnvelopeId; readonly complete: boolean }[],
): Promise<Set<EnvelopeId>> {
  const [ids, complete] = [envelopes.map(({ envelope_id }) => envelope_id), envelopes.map((one) => one.complete)];
  const { rows } = await tx.query<{ envelope_id: EnvelopeId }>(sql`
    insert into rehashed_envelopes (org_id, envelope_id, complete)
    select ${org}, made.* from unnest(${ids}::text[], ${complete}::boolean[]) as made
    on conflict (org_id, envelope_id) do update set complete = excluded.complete, at = clock_timestamp()
      where not rehashed_envelopes.complete
    returning envelope_id`);
  return new Set(rows.map(({ envelope_id }) => envelope_id));
}

/** Hashes of leaves from this index on that nothing stands for under SHA-512 yet. */
export async function listLeavesToRehash(read: Read, from: number, limit: number): Promise<string[]> {
  const { rows } = await read.query<{ hash: string }>(sql`
    select l.hash from log_leaves l
    where l.leaf_index >= ${from} and not exists (select from leaf_rehashes r where r.hash = l.hash)
    order by l.leaf_index limit ${limit}`);
  return rows.map(({ hash }) => hash);
}

export interface EntryRef {
  readonly org_id: OrgId;
  readonly subject: string;
  readonly seq: number;
}

export async function findEntriesOfLeaves(read: Read, hashes: readonly string[]): Promise<EntryRef[]> {
  const { rows } = await read.query<EntryRef>(sql`select org_id, subject, seq from find_entries_of_leaves(${hashes})`);
  return rows;
}

export interface EntryRow {
  readonly entry: Entry;
  readonly data: EntryData | null;
}

export async function listEntriesAt(read: Read, org: OrgId, places: readonly Pick<EntryRef, "subject" | "seq">[]): Promise<EntryRow[]> {
  const [subjects, seqs] = [places.map(({ subject }) => subject), places.map(({ seq }) => seq)];
  const { rows } = await read.query<Omit<Entry, "at" | "v"> & { at: Date; salt: Buffer | null; data: Json | null }>(sql`
    select e.*, d.salt, d.data
    from unnest(${subjects}::text[], ${seqs}::integer[]) as wanted (subject, seq)
      join audit_entries e on e.org_id = ${org} and e.subject = wanted.subject and e.seq = wanted.seq
      left join audit_entry_data d on d.org_id = ${org} and d.subject = wanted.subject and d.seq = wanted.seq`);
  return rows.map(({ org_id, subject, seq, type, at, actor, commitment, prev, hash, salt, data }) => ({
    entry: { v: 1, org_id, subject, seq, type, at: at.toISOString(), actor, commitment, prev, hash },
    data: salt === null || data === null ? null : { salt: salt.toString("hex"), data },
  }));
}

/** Log records, and statements that the log was restarted. */
export async function listRecordsToRehash(read: Read, limit: number): Promise<LogRecordRow[]> {
  const { rows } = await read.query<LogRecordRow>(sql`
    select r.hash, r.bytes from (select hash, bytes from log_records union all select hash, bytes from log_restarts) r
    where not exists (select from leaf_rehashes h where h.hash = r.hash) limit ${limit}`);
  return rows;
}

export interface Rehash {
  readonly hash: string;
  readonly data_sha512: string | null;
  readonly sha512: string;
}

export async function insertRehashes(tx: Tx, rehashes: readonly Rehash[]): Promise<void> {
  const [hashes, data, own] = [rehashes.map((one) => one.hash), rehashes.map((one) => one.data_sha512), rehashes.map((one) => one.sha512)];
  await tx.query(sql`
    insert into leaf_rehashes (hash, data_sha512, sha512)
    select * from unnest(${hashes}::text[], ${data}::text[], ${own}::text[]) on conflict do nothing`);
}

/** Of the leaves from `from` to before `to`, in order; null where nothing stands for the leaf yet. */
export async function readBlock(read: Read, from: number, to: number): Promise<{ hash: string; sha512: string | null }[]> {
  const { rows } = await read.query<{ hash: string; sha512: string | null }>(sql`
    select l.hash, r.sha512 from log_leaves l left join leaf_rehashes r using (hash)
    where l.leaf_index >= ${from} and l.leaf_index < ${to} order by l.leaf_index`);
  return rows;
}

/** Where the last block that is recorded under SHA-512 ends; 0 if there is none. */
export async function readRehashedSize(read: Read): Promise<number> {
  const { rows } = await read.query<{ size: string }>(sql`
    select coalesce(max(tree_size), 0) as size from log_records where kind = 'leaves'`);
  return Number(rows[0]?.size);
}
