import { type Read, sql } from "../db/sql.ts";
import type { OrgId, TemplateId } from "../shared/ids.ts";

/** Where a template is used. */
export interface TemplateUsage {
  readonly envelopes: number;
  readonly drafts: number;
  readonly forms: number;
  readonly bulk_batches: number;
}

// As lists of envelopes are counted.
export const MAX_COUNTED = 10_000;

/** Discarded drafts do not count. */
export async function countUsage(read: Read, org: OrgId, template_id: TemplateId): Promise<TemplateUsage> {
  const envelopes = sql`select from envelopes e where e.org_id = ${org} and e.template_id = ${template_id} and e.discarded_at is null`;
  const { rows } = await read.query<TemplateUsage>(sql`
    select
      (select count(*)::int from (${envelopes} limit ${MAX_COUNTED}) counted) as envelopes,
      (select count(*)::int from (${envelopes} and e.status in ('pending', 'uploaded', 'preparing') limit ${MAX_COUNTED}) counted) as drafts,
      (select count(*)::int from public_forms f where f.org_id = ${org} and f.template_id = ${template_id}) as forms,
      (select count(*)::int from bulk_batches b where b.org_id = ${org} and b.template_id = ${template_id}) as bulk_batches`);
  return rows[0] ?? { envelopes: 0, drafts: 0, forms: 0, bulk_batches: 0 };
}
