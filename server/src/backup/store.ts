import type { Loader, Snapshot } from "../db/copies.ts";
import { named, type Read, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { uses } from "../storage/store.ts";
import type { Manifest } from "./backup.ts";

/** A document that a record needs. */
export interface KeptBlob {
  readonly org_id: OrgId;
  readonly sha256: string;
}

/** A document that is not destroyed. */
export interface ListedBlob extends KeptBlob {
  /** False: it was only just uploaded, or a record that had it was removed. Another record may need it (see `releaseBlobs`), or no one. */
  readonly kept: boolean;
  /** SHA-256 of its wrapped key; 64 zeros if it has none. Encrypted under another key it has the same size and other bytes. */
  readonly key: string;
}

export const listBlobs = (snapshot: Snapshot): Promise<ListedBlob[]> =>
  snapshot.query<ListedBlob>(
    `select org_id, sha256, kept, coalesce(encode(sha256(key_wrapped), 'hex'), repeat('0', 64)) as key
      from blobs where destroyed_at is null order by org_id, sha256`,
  );

/** What a manifest says of the database besides its tables. */
export async function describeDatabase(
  snapshot: Snapshot,
): Promise<Pick<Manifest, "made_at" | "migrations" | "secret_versions" | "log_size">> {
  const [clock] = await snapshot.query<{ now: Date }>("select now()");
  const [log] = await snapshot.query<{ size: string | null }>("select max(tree_size)::text as size from checkpoints");
  const versions = await snapshot.query<{ version: number; check_enc: Buffer; used: boolean; retired: boolean }>(
    "select version, check_enc, used_from is not null as used, retired_at is not null as retired from secret_versions order by version",
  );
  return {
    made_at: (clock as { now: Date }).now.toISOString(),
    migrations: await snapshot.query<{ name: string; checksum: string }>("select name, checksum from schema_migrations order by name"),
    secret_versions: versions.map(({ version, check_enc, used, retired }) => ({
      version,
      check: check_enc.toString("base64"),
      in_use: used,
      retired,
    })),
    log_size: log?.size == null ? null : Number(log.size),
  };
}

const USES = Object.entries(uses)
  .map(
    ([table, columns]) => `
    select '${table}' as part, coalesce(to_jsonb(t) ->> 'envelope_id', to_jsonb(t) ->> 'template_id') as id from ${table} t
    where org_id = $1 and $2 in (${columns.join(", ")})`,
  )
  .join(" union");

/** Where a document is used, as an operator can look it up: `env_… (documents)`. */
export async function listUses(snapshot: Snapshot, { org_id, sha256 }: KeptBlob): Promise<string[]> {
  const found = await snapshot.query<{ part: string; id: string | null }>(`${USES} order by 2, 1`, [org_id, sha256]);
  return found.map(({ part, id }) => (id === null ? part : `${id} (${part})`));
}

/** Whether this installation ever signed records, and backups, with this key. */
export async function isRecordsKey(snapshot: Snapshot, key_id: string): Promise<boolean> {
  return (await snapshot.query("select from instance_keys where purpose = 'records' and key_id = $1", [key_id])).length === 1;
}

/**
 * Holds the installation, in the transaction of its rows. What the audit trails will say is noted too: their entries need the newest tables,
 * which are made afterwards, and must not be lost if the host dies before.
 */
export async function holdRestored(loader: Loader, from: RestoredFrom): Promise<void> {
  // The migrations of an earlier backup did not make the column.
  await loader.query("alter table installation_mode add column if not exists restored jsonb");
  await loader.query("update installation_mode set held_since = clock_timestamp(), held_by = 'restore', restored = $1", [
    JSON.stringify(from),
  ]);
}

/** For the metric of its age. */
export async function noteBackup(owner: Tx, made_at: string): Promise<void> {
  await owner.query(sql`update installation_mode set backed_up_at = ${made_at}`);
}

/** What is known of a restore until the audit trails have it. */
export interface RestoredFrom {
  readonly made_at: string;
  readonly version: string;
  readonly log_size: number | null;
  /** documents that the backup lacks, by organization; null if it has no documents at all */
  readonly missing: Readonly<Record<string, number>> | null;
  /** the operating system's user who restored it */
  readonly operator: string;
}

/** Once: the entries must be appended in the same transaction. */
export async function takeRestored(tx: Tx): Promise<RestoredFrom | null> {
  const { rows } = await tx.query<{ restored: RestoredFrom | null }>(named("take-restored")`select take_restored() as restored`);
  return rows[0]?.restored ?? null;
}

/** The documents that the latest restored backup did not have; null if none was restored. */
export async function lookUpMissingAtRestore(owner: Read): Promise<{ readonly made_at: string; readonly count: number } | null> {
  const { rows } = await owner.query<{ made_at: string; count: number }>(sql`
    select d.data ->> 'backup_made_at' as made_at, sum((d.data ->> 'missing_documents')::int)::int as count
    from orgs o join audit_entries e on e.org_id = o.org_id and e.subject = o.org_id and e.type = 'installation.restored'
      join audit_entry_data d on d.org_id = e.org_id and d.subject = e.subject and d.seq = e.seq
    group by 1 order by max(e.at) desc limit 1`);
  return rows[0] ?? null;
}

export async function lookUpRecordsKey(loader: Loader, key_id: string): Promise<Buffer | null> {
  const [key] = await loader.query<{ public_key: Buffer }>(
    "select public_key from instance_keys where purpose = 'records' and key_id = $1",
    [key_id],
  );
  return key?.public_key ?? null;
}

/** Of all organizations, with the owner's login. Null: all of them. */
export async function sampleBlobs(owner: Read, limit: number | null): Promise<KeptBlob[]> {
  const kept = sql`select org_id, sha256 from blobs where kept and destroyed_at is null`;
  return (await owner.query<KeptBlob>(limit === null ? kept : sql`${kept} order by random() limit ${limit}`)).rows;
}

export interface ChainName {
  readonly org_id: OrgId;
  readonly subject: EnvelopeId | OrgId;
}

export async function sampleChains(owner: Read, limit: number | null): Promise<ChainName[]> {
  const all = sql`select org_id, subject from audit_heads`;
  return (await owner.query<ChainName>(limit === null ? all : sql`${all} order by random() limit ${limit}`)).rows;
}
