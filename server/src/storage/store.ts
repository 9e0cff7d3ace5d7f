import { sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { BlobName } from "./blob-store.ts";

// How long a blob may lie before a row names it. The longest pipeline puts and names within minutes; a day also bears a worker
// that was down over night. Too short, and a slow pipeline has its document swept away before it is named.
const ORPHAN_AGE = "24 hours";
// One run's work: a store that is slow keeps the job busy for minutes, not for hours, and the next run takes the rest.
const MAX_ORPHANS = 10_000;

/** Says that the bytes are about to come. Waits while a sweep removes the same ones, and makes it leave them alone afterwards. */
export async function claimBlob(tx: Tx, org: OrgId, { sha256, size }: BlobName): Promise<void> {
  await tx.query(sql`
    insert into blobs (org_id, sha256, size) values (${org}, ${sha256}, ${size})
    on conflict (org_id, sha256) do update set put_at = now()`);
}

/**
 * In the transaction that writes the row which names the blob. One that the sweep may already have begun to remove is refused:
 * its bytes can be gone although its claim is still there, when a sweep was cut off. `now()` would be too early for that.
 */
export async function keepBlob(tx: Tx, org: OrgId, sha256: string): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update blobs set kept = true
    where org_id = ${org} and sha256 = ${sha256} and (kept or put_at > clock_timestamp() - ${ORPHAN_AGE}::interval)`);
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

/** Whether it was one still. Until the transaction ends, a claim of the same bytes waits. */
export async function deleteOrphan(tx: Tx, org: OrgId, sha256: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    delete from blobs where (org_id, sha256) in (
      select org_id, sha256 from blobs
      where org_id = ${org} and sha256 = ${sha256} and not kept and put_at <= now() - ${ORPHAN_AGE}::interval
      for update skip locked)`);
  return rowCount === 1;
}
