import { type Read, sql } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

export interface ExportedEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly customer_name: string | null;
  readonly customer_email: string | null;
  readonly tags: readonly string[];
  readonly owner: string | null;
  readonly sent_at: Date | null;
  readonly completed_at: Date | null;
  readonly expires_at: Date | null;
}

/** What an export has beside the columns of the list. */
export async function findExported(read: Read, org: OrgId, ids: readonly EnvelopeId[]): Promise<ReadonlyMap<EnvelopeId, ExportedEnvelope>> {
  const { rows } = await read.query<ExportedEnvelope>(sql`
    select e.envelope_id, c.name as customer_name, c.email as customer_email, u.name as owner, e.sent_at, e.completed_at, e.expires_at,
      array(select t.name from envelope_tags et join tags t using (org_id, tag_key)
        where et.org_id = e.org_id and et.envelope_id = e.envelope_id order by et.tag_key) as tags
    from envelopes e
      left join customers c on c.org_id = e.org_id and c.customer_id = e.customer_id
      left join users u on u.user_id = e.owner_user_id
    where e.org_id = ${org} and e.envelope_id = any(${ids})`);
  return new Map(rows.map((row) => [row.envelope_id, row]));
}
