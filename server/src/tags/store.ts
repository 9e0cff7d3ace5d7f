import { isUniqueViolation } from "../db/errors.ts";
import { lockRecord } from "../db/locks.ts";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { MAX_TAGS_OF_ORG, type Tag } from "./tag.ts";

export async function listTags(read: Read, org: OrgId): Promise<Tag[]> {
  const { rows } = await read.query<Tag>(sql`select tag_key, name, colour from tags where org_id = ${org}`);
  return rows;
}

/** Locks the tags against being deleted. The others are created, unless the org would have too many. */
export async function ensureTags(tx: Tx, org: OrgId, wanted: readonly Pick<Tag, "tag_key" | "name">[]): Promise<void> {
  const missing = await missingTags(tx, org, wanted);
  if (missing.length === 0) return;
  // Counted under a lock: two requests at once must not create one too many.
  await lockRecord(tx, "tags", org);
  await insertTags(tx, org, await missingTags(tx, org, wanted));
}

async function missingTags(tx: Tx, org: OrgId, wanted: readonly Pick<Tag, "tag_key" | "name">[]) {
  const { rows } = await tx.query<{ tag_key: string }>(sql`
    select tag_key from tags where org_id = ${org} and tag_key = any(${wanted.map(({ tag_key }) => tag_key)}) order by tag_key for key share`);
  return wanted.filter(({ tag_key }) => !rows.some((row) => row.tag_key === tag_key));
}

async function insertTags(tx: Tx, org: OrgId, tags: readonly (Pick<Tag, "tag_key" | "name"> & Partial<Tag>)[]): Promise<void> {
  if (tags.length === 0) return;
  const { rows } = await tx.query<{ n: number }>(sql`select count(*)::int as n from tags where org_id = ${org}`);
  if ((rows[0]?.n ?? 0) + tags.length > MAX_TAGS_OF_ORG) throw new Problem("too_many_tags");
  await tx.query(sql`
    insert into tags (org_id, tag_key, name, colour)
    select ${org}, tag_key, name, colour from jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) as t (tag_key text, name text, colour text)`);
}

/** Names and colours stay as they are where they are not given. 409 if another tag has the new name. */
export async function updateTag(tx: Tx, org: OrgId, tag_key: string, to: { readonly tag_key: string } & Partial<Tag>): Promise<Tag> {
  const { name, colour } = to;
  try {
    const { rows } = await tx.query<Tag>(sql`
      update tags set tag_key = ${to.tag_key}, name = coalesce(${name ?? null}, name), colour = case when ${colour === undefined} then colour else ${colour ?? null} end
      where org_id = ${org} and tag_key = ${tag_key} returning tag_key, name, colour`);
    return rows[0] ?? gone();
  } catch (cause) {
    throw isUniqueViolation(cause) ? new Problem("tag_exists", "", { cause }) : cause;
  }
}

function gone(): never {
  throw new Problem("tag_not_found");
}

/** Its envelopes lose it. */
export async function deleteTag(tx: Tx, org: OrgId, tag_key: string): Promise<void> {
  const { rowCount } = await tx.query(sql`delete from tags where org_id = ${org} and tag_key = ${tag_key}`);
  if (rowCount === 0) gone();
}
