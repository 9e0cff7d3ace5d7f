import { type Read, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Tag } from "../tags/tag.ts";

export type CountedTag = Tag & { readonly envelopes: number; readonly envelopes_capped: boolean };

// Enough to see which tags are used a lot. Counting a million would take longer than the rest of the page.
const MAX_COUNTED = 1_000;

/** All tags of the org with the number of their envelopes, in the order in which names are compared. */
export async function listCountedTags(read: Read, org: OrgId): Promise<CountedTag[]> {
  const { rows } = await read.query<Tag & { n: number }>(sql`
    select t.tag_key, t.name, t.colour, counted.n from tags t, lateral (
      select count(*)::int as n from (
        select from envelope_tags et where et.org_id = ${org} and et.tag_key = t.tag_key limit ${MAX_COUNTED + 1}) probed) counted
    where t.org_id = ${org} order by t.tag_key`);
  return rows.map(({ n, ...tag }) => ({ ...tag, envelopes: Math.min(n, MAX_COUNTED), envelopes_capped: n > MAX_COUNTED }));
}

export async function listKeysOfEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<string[]> {
  const { rows } = await read.query<{ tag_key: string }>(sql`
    select tag_key from envelope_tags where org_id = ${org} and envelope_id = ${envelope_id}`);
  return rows.map(({ tag_key }) => tag_key);
}

/** The envelope's row is locked, so that two requests cannot give it too many. */
export async function tagEnvelope(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  added: readonly string[],
  removed: readonly string[],
): Promise<void> {
  if (removed.length > 0) {
    await tx.query(sql`delete from envelope_tags where org_id = ${org} and envelope_id = ${envelope_id} and tag_key = any(${removed})`);
  }
  if (added.length > 0) {
    await tx.query(sql`
      insert into envelope_tags (org_id, tag_key, envelope_id) select ${org}, tag_key, ${envelope_id} from unnest(${added}::text[]) as tag_key
      on conflict do nothing`);
  }
}

export async function copyTags(tx: Tx, org: OrgId, from: EnvelopeId, to: EnvelopeId): Promise<void> {
  await tx.query(sql`
    insert into envelope_tags (org_id, tag_key, envelope_id)
    select org_id, tag_key, ${to} from envelope_tags where org_id = ${org} and envelope_id = ${from}`);
}
