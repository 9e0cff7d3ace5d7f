import { named, sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { BlobName } from "./blob-store.ts";

// How long a blob may exist before a row references it. Every pipeline does both within minutes; a day also covers a worker that was
// down overnight. If this were too short, a slow pipeline would lose its document.
const ORPHAN_AGE = "24 hours";
// The limit of one run, so that a slow store keeps the job busy for minutes, not hours. The next run continues.
const MAX_ORPHANS = 10_000;

/** Announces that the bytes will be stored. Waits while a sweep removes the same bytes, and keeps later sweeps from removing them. */
export async function claimBlob(tx: Tx, org: OrgId, { sha256, size }: BlobName): Promise<void> {
  await tx.query(named("claim-blob")`
    insert into blobs (org_id, sha256, size) values (${org}, ${sha256}, ${size})
    on conflict (org_id, sha256) do update set put_at = now(), destroyed_at = null`);
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

export interface Orphan {
  readonly org_id: OrgId;
  readonly sha256: string;
}

export async function findOrphans(tx: Tx): Promise<Orphan[]> {
  const { rows } = await tx.query<Orphan>(sql`select org_id, sha256 from find_orphan_blobs(${ORPHAN_AGE}::interval, ${MAX_ORPHANS})`);
  return rows;
}

/** False if the blob is no longer an orphan. A claim of the same bytes waits until the transaction ends. */
export async function deleteOrphan(tx: Tx, org: OrgId, sha256: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    delete from blobs where (org_id, sha256) in (
      select org_id, sha256 from blobs
      where org_id = ${org} and sha256 = ${sha256} and not kept and put_at <= now() - ${ORPHAN_AGE}::interval
      for update skip locked)`);
  return rowCount === 1;
}
