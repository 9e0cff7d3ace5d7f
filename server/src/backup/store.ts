import type { Loader, Snapshot } from "../db/copies.ts";
import { type Read, sql } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
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

export async function holdRestored(loader: Loader): Promise<void> {
  await loader.query("update installation_mode set held_since = clock_timestamp(), held_by = 'restore'");
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
