import { FENCED } from "../db/fence.ts";
import { join, named, type Read, raw, type Sql, sql, type Tx } from "../db/sql.ts";
import { isSandbox, type OrgId } from "../shared/ids.ts";
import { isRequest } from "../shared/is-request.ts";
import { Problem } from "../shared/problems.ts";
import type { BlobName, WrappedKey } from "./blob-store.ts";

// How long a blob may exist before a row references it. Every pipeline does both within minutes; a day also covers a worker that was
// down overnight. If this were too short, a slow pipeline would lose its document.
const ORPHAN_AGE = "24 hours";
// The limit of one run, so that a slow store keeps the job busy for minutes, not hours. The next run continues.
const MAX_ORPHANS = 10_000;

/**
 * Announces that the bytes will be stored, and under which key. Waits while a sweep removes the same bytes, and keeps later sweeps from
 * removing them. Returns the key to use, which is the one of before if the blob has one: the same bytes are never encrypted under two keys.
 */
export async function claimBlob(tx: Tx, org: OrgId, { sha256, size }: BlobName, key: WrappedKey | null = null): Promise<WrappedKey | null> {
  await refuseFullSandbox(tx, org);
  const { rows } = await tx.query<{ key_no: number | null; key_wrapped: Buffer | null }>(named("claim-blob")`
    insert into blobs as b (org_id, sha256, size, key_no, key_wrapped, encryption)
    values (${org}, ${sha256}, ${size}, ${key?.key_no ?? null}, ${key?.key_wrapped ?? null}, ${key === null ? "none" : "v1"})
    on conflict (org_id, sha256) do update set put_at = now(), destroyed_at = null,
      key_no = coalesce(b.key_no, excluded.key_no), key_wrapped = coalesce(b.key_wrapped, excluded.key_wrapped),
      encryption = case when b.encryption = 'none' and excluded.encryption = 'v1' and b.destroyed_at is null then 'moving'
        when b.encryption = 'none' then excluded.encryption else b.encryption end
    returning key_no, key_wrapped`);
  return asKey(rows[0]);
}

// As much as tests need, and little enough that no sandbox fills the store.
const MAX_SANDBOX_BYTES = 2_000_000_000;

/**
 * Throws 409 once the documents of a sandbox are as large as they may be. Only for requests: what a job makes belongs to an envelope that was
 * accepted. What was released is not counted.
 */
export async function refuseFullSandbox(read: Read, org: OrgId): Promise<void> {
  if (!isSandbox(org) || !isRequest()) return;
  const { rows } = await read.query<{ bytes: number }>(sql`
    select coalesce(sum(size), 0)::float8 as bytes from blobs where org_id = ${org} and kept and destroyed_at is null`);
  if ((rows[0]?.bytes ?? 0) >= MAX_SANDBOX_BYTES) throw new Problem("sandbox_full", "bytes");
}

const asKey = (row: { readonly key_no: number | null; readonly key_wrapped: Buffer | null } | undefined): WrappedKey | null =>
  row === undefined || row.key_no === null || row.key_wrapped === null ? null : { key_no: row.key_no, key_wrapped: row.key_wrapped };

/** On any connection, because documents are read in every kind of request. */
export async function lookUpBlobKey(read: Read, org: OrgId, sha256: string): Promise<WrappedKey | null> {
  const { rows } = await read.query<{ key_no: number | null; key_wrapped: Buffer | null }>(named("blob-key")`
    select key_no, key_wrapped, ${raw(FENCED)} from find_blob_key(${org}, ${sha256})`);
  return asKey(rows[0]);
}

/**
 * Call this in the transaction that writes the row that references the blob. Rejects a blob that the sweep may already be removing:
 * after an interrupted sweep the bytes can be gone while the claim still exists. Uses clock_timestamp(), because `now()` is the start
 * of the transaction, which is too early.
 */
export async function keepBlob(tx: Tx, org: OrgId, sha256: string): Promise<void> {
  const { rowCount } = await tx.query(named("keep-blob")`
    update blobs set kept = true
    where org_id = ${org} and sha256 = ${sha256} and destroyed_at is null and (kept or put_at > clock_timestamp() - ${ORPHAN_AGE}::interval)`);
  if (rowCount !== 1) throw new Error(`blob ${sha256} cannot be kept: it was not claimed within ${ORPHAN_AGE}`);
}

/**
 * Call this in the transaction that removes the row that referenced the blobs. Whether another row uses the same bytes is looked at by the
 * sweep, a day later: until then, reads that have begun find them.
 */
export async function releaseBlobs(tx: Tx, org: OrgId, hashes: readonly string[]): Promise<void> {
  await tx.query(sql`
    update blobs set kept = false, put_at = now()
    where org_id = ${org} and sha256 = any(${[...hashes].sort()}) and kept and destroyed_at is null`);
}

export interface Orphan {
  readonly org_id: OrgId;
  readonly sha256: string;
}

export async function findOrphans(tx: Tx): Promise<Orphan[]> {
  const { rows } = await tx.query<Orphan>(sql`select org_id, sha256 from find_orphan_blobs(${ORPHAN_AGE}::interval, ${MAX_ORPHANS})`);
  return rows;
}

/** Every column that refers to blobs. Versions have no foreign key, because what was received is not always stored. */
export const uses = {
  authoritative_copies: ["sha256"],
  certificates: ["facts_sha256", "json_sha256", "pdf_sha256"],
  completion_certificates: ["sha256"],
  document_versions: ["sha256"],
  documents: ["hash", "pdf_sha256"],
  evidence_files: ["sha256"],
  record_endings: ["certificate_sha256", "pdf_sha256"],
  record_origins: ["bundle_sha256"],
  template_documents: ["pdf_sha256"],
  vault_exports: ["package_sha256"],
  vault_transfers: ["package_sha256"],
} as const;

const isUsed = (org: OrgId, sha256: string): Sql =>
  join(
    Object.entries(uses).map(
      ([table, columns]) => sql`exists (select from ${raw(table)} where org_id = ${org} and ${sha256} in (${raw(columns.join(", "))}))`,
    ),
    " or ",
  );

/**
 * False if the blob is no longer an orphan. A claim of the same bytes, and a row that refers to them, wait until the transaction ends. One
 * that another row still uses is kept again. This is looked at under the lock, in a statement of its own that sees every committed row.
 */
export async function deleteOrphan(tx: Tx, org: OrgId, sha256: string): Promise<boolean> {
  const locked = await tx.query(sql`
    select from blobs
    where org_id = ${org} and sha256 = ${sha256} and not kept and put_at <= now() - ${ORPHAN_AGE}::interval
    for update skip locked`);
  if (locked.rowCount !== 1) return false;
  const { rowCount } = await tx.query(sql`
    delete from blobs where org_id = ${org} and sha256 = ${sha256} and not (${isUsed(org, sha256)})`);
  if (rowCount === 1) return true;
  await tx.query(sql`update blobs set kept = true where org_id = ${org} and sha256 = ${sha256}`);
  return false;
}

export interface BlobToEncrypt {
  readonly org_id: OrgId;
  readonly sha256: string;
}

/** Blobs of all orgs that a row references and that are not encrypted yet. Those that could not be read are tried again after a day. */
export async function listBlobsToEncrypt(read: Read, limit: number): Promise<BlobToEncrypt[]> {
  const { rows } = await read.query<BlobToEncrypt>(sql`select org_id, sha256 from find_blobs_to_encrypt('1 day', ${limit})`);
  return rows;
}

export async function countBlobsToEncrypt(read: Read): Promise<number> {
  const { rows } = await read.query<{ n: number }>(sql`select count_blobs_to_encrypt()::float8 as n`);
  return rows[0]?.n ?? 0;
}

/** Gives a blob the key under which it is encrypted next. A blob that has one keeps it. */
export async function beginEncryption(tx: Tx, org: OrgId, sha256: string, { key_no, key_wrapped }: WrappedKey): Promise<void> {
  await tx.query(sql`
    update blobs set key_no = ${key_no}, key_wrapped = ${key_wrapped}, encryption = 'moving'
    where org_id = ${org} and sha256 = ${sha256} and encryption = 'none' and destroyed_at is null`);
}

/** False if the blob was destroyed in the meantime. */
export async function endEncryption(tx: Tx, org: OrgId, sha256: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update blobs set encryption = 'v1' where org_id = ${org} and sha256 = ${sha256} and encryption <> 'none' and destroyed_at is null`);
  return rowCount === 1;
}

export async function noteUnreadable(tx: Tx, org: OrgId, sha256: string): Promise<void> {
  await tx.query(sql`update blobs set encrypt_tried_at = now() where org_id = ${org} and sha256 = ${sha256}`);
}

/** Locks the row. True if its record was destroyed and no one has stored the bytes again. */
export async function lockDestroyed(tx: Tx, org: OrgId, sha256: string): Promise<boolean> {
  const { rows } = await tx.query<{ destroyed: boolean }>(sql`
    select destroyed_at is not null as destroyed from blobs where org_id = ${org} and sha256 = ${sha256} for update`);
  return rows[0]?.destroyed === true;
}
