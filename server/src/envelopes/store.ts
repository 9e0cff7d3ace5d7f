import type { Read } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { ListedEnvelope, Status } from "./envelope.ts";

export interface EnvelopeFilter {
  readonly customer_id?: string | undefined;
  readonly status?: Status | undefined;
}

/** One statement for a page and the total behind it; the total comes with its row even when the page is empty. */
const LIST = `
  with found as (
    select envelope_id from envelopes
    where org_id = $1 and ($2::text is null or customer_id = $2) and ($3::text is null or status = $3)
  ), page as (
    select envelope_id, envelope_name, status, customer_id, external_id, created_at, updated_at from envelopes
    where org_id = $1 and ($2::text is null or customer_id = $2) and ($3::text is null or status = $3)
    order by envelope_id desc limit $4 offset $5
  )
  select (select count(*) from found)::int as total, page.* from (values (1)) as one left join page on true order by envelope_id desc`;

export async function listEnvelopes(
  read: Read,
  org: OrgId,
  filter: EnvelopeFilter,
  { page, limit }: PageRequest,
): Promise<Page<ListedEnvelope>> {
  const { rows } = await read.query<ListedEnvelope & { total: number }>({
    name: "list-envelopes",
    text: LIST,
    values: [org, filter.customer_id ?? null, filter.status ?? null, limit, (page - 1) * limit],
  });
  return { items: rows.filter((row) => row.envelope_id !== null), total: rows[0]?.total ?? 0 };
}
