import { join, type Read, raw, type Sql, sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { type ListedEnvelope, open, type Status } from "./envelope.ts";
import { isDue, statusNow } from "./status-now.ts";

export interface EnvelopeFilter {
  readonly customer_id?: string | undefined;
  readonly status?: Status | undefined;
  /** exact match; several envelopes can have the same */
  readonly external_id?: string | undefined;
  /** part of a name or reference of the envelope or its customer, ignoring case */
  readonly q?: string | undefined;
  /** inclusive */
  readonly created_from?: Date | undefined;
  /** exclusive */
  readonly created_to?: Date | undefined;
  /** whether `q` searches customers; otherwise callers who cannot read customers could learn about them by guessing */
  readonly searchesCustomers?: boolean | undefined;
}

/** The number of envelopes in a bucket. It is part of the stored numbers, so it never changes. */
export const BUCKET_SIZE = 1_000;

const COLUMNS = "envelope_id, envelope_name, status, customer_id, external_id, created_at, updated_at, expires_at";
const SHOWN = `envelope_id, envelope_name, ${statusNow()} as status, customer_id, external_id,
  created_at, updated_at`;

/**
 * All envelopes of an org, or of a customer: one statement for a page and the total, at any offset. Full buckets have numbers and are
 * not counted; only envelopes newer than the last full bucket are. A page within the buckets starts from the bucket that its offset
 * falls into.
 */
const listOf = (subset: string, filter: string) => `
  with top as (
    select coalesce(max(bucket_no), 0) as bucket_no, coalesce(max(last_id), '') as last_id from (
      select bucket_no, last_id from envelope_buckets where org_id = $1 and subset = ${subset} order by bucket_no desc limit 1) newest
  ), head as (
    select count(*)::int as n from envelopes where org_id = $1 ${filter} and envelope_id > (select last_id from top)
  ), start as (
    -- Greater than every id: the page starts among the newest.
    select case when $3 < head.n or bucket_no = 0 then 'env_~' else coalesce((
        select b.last_id from envelope_buckets b
        where b.org_id = $1 and b.subset = ${subset} and b.bucket_no = top.bucket_no - ($3 - head.n) / ${BUCKET_SIZE}), '') end as from_id,
      case when $3 < head.n or bucket_no = 0 then $3 else ($3 - head.n) % ${BUCKET_SIZE} end as skipped
    from top, head
  ), page as (
    select ${COLUMNS} from envelopes where org_id = $1 ${filter} and envelope_id <= (select from_id from start)
    order by envelope_id desc limit $2 offset (select skipped from start)
  )
  select (select bucket_no * ${BUCKET_SIZE} + head.n from top, head) as total, ${SHOWN}
  from (values (1)) as one left join page on true order by envelope_id desc`;

const ALL = listOf("''", "");
const OF_CUSTOMER = listOf("$4", "and customer_id = $4");

const OF_STATUS = `select ${COLUMNS} from envelopes where org_id = $1 and status = $4 and ($5::text is null or customer_id = $5)`;

/**
 * With a status, envelopes are counted, because they change status all the time. The few that are past their expiry date but not yet
 * swept have their own index: they are subtracted from the open ones and added to the expired ones.
 */
const withStatus = (listed: string, correction: string) => `
  with due as materialized (
    select ${COLUMNS} from envelopes where org_id = $1 and ${isDue()} and ($5::text is null or customer_id = $5)
  ), found as (
    ${OF_STATUS}
  ), page as (
    ${listed} order by envelope_id desc limit $2 offset $3
  )
  select ((select count(*) from found) ${correction})::int as total, ${SHOWN}
  from (values (1)) as one left join page on true order by envelope_id desc`;

const WITH_STATUS = withStatus(OF_STATUS, "");
const OPEN = withStatus(`${OF_STATUS} and (expires_at <= now()) is not true`, "- (select count(*) from due where status = $4)");
// The inner limit keeps the order of the index, so that the two lists are merged instead of sorted.
const EXPIRED = withStatus(
  `select * from ((${OF_STATUS} order by envelope_id desc limit $2::int + $3::int) union all select * from due) as ended`,
  "+ (select count(*) from due)",
);

function statementWith(status: Status): { name: string; text: string } {
  if (open.includes(status)) return { name: "list-open-envelopes", text: OPEN };
  if (status === "expired") return { name: "list-expired-envelopes", text: EXPIRED };
  return { name: "list-envelopes-with-status", text: WITH_STATUS };
}

export async function listEnvelopes(read: Read, org: OrgId, filter: EnvelopeFilter, wanted: PageRequest): Promise<Page<ListedEnvelope>> {
  const { customer_id, status, external_id, q, created_from, created_to } = filter;
  if ([external_id, q, created_from, created_to].some((given) => given !== undefined)) return searchEnvelopes(read, org, filter, wanted);
  const at = [org, wanted.limit, (wanted.page - 1) * wanted.limit];
  const statement =
    status !== undefined
      ? { ...statementWith(status), values: [...at, status, customer_id ?? null] }
      : customer_id === undefined
        ? { name: "list-envelopes", text: ALL, values: at }
        : { name: "list-envelopes-of-customer", text: OF_CUSTOMER, values: [...at, customer_id] };
  return pageOf(await read.query<Row>(statement));
}

type Row = ListedEnvelope & { readonly total: number };

/** The total is in every row, and in a row without an envelope if the page is empty. */
function pageOf({ rows }: { readonly rows: readonly Row[] }): Page<ListedEnvelope> {
  return { items: rows.filter((row) => row.envelope_id !== null), total: rows[0]?.total ?? 0 };
}

/**
 * No index finds a part of a name, so all envelopes of the org are read once and counted at the same time. An external_id has its own
 * index.
 */
async function searchEnvelopes(
  read: Read,
  org: OrgId,
  filter: EnvelopeFilter,
  { page, limit }: PageRequest,
): Promise<Page<ListedEnvelope>> {
  const found = await read.query<Row>(sql`
    with found as materialized (
      select envelope_id from envelopes where ${join(conditionsOf(org, filter), " and ")}
    ), page as (
      select ${raw(COLUMNS)} from envelopes
      where org_id = ${org} and envelope_id in (select envelope_id from found order by envelope_id desc limit ${limit} offset ${(page - 1) * limit})
    )
    select (select count(*)::int from found) as total, ${raw(SHOWN)}
    from (values (1)) as one left join page on true order by envelope_id desc`);
  return pageOf(found);
}

function conditionsOf(org: OrgId, filter: EnvelopeFilter): Sql[] {
  const { customer_id, status, external_id, q, created_from, created_to, searchesCustomers = false } = filter;
  const conditions = [sql`org_id = ${org}`];
  if (customer_id !== undefined) conditions.push(sql`customer_id = ${customer_id}`);
  if (external_id !== undefined) conditions.push(sql`external_id = ${external_id}`);
  if (status !== undefined) conditions.push(sql`${raw(statusNow())} = ${status}`);
  if (created_from !== undefined) conditions.push(sql`created_at >= ${created_from}`);
  if (created_to !== undefined) conditions.push(sql`created_at < ${created_to}`);
  if (q !== undefined) {
    const ofCustomer = sql`or customer_id in (
      select customer_id from customers where org_id = ${org} and (${contains("name", q)} or ${contains("email", q)} or ${contains("client_id", q)}))`;
    conditions.push(sql`(${contains("envelope_name", q)} or ${contains("external_id", q)} ${searchesCustomers ? ofCustomer : sql``})`);
  }
  return conditions;
}

/** By position instead of a pattern, so that a percent sign has no special meaning. */
const contains = (column: string, q: string): Sql => sql`strpos(lower(${raw(column)}), lower(${q}::text)) > 0`;

/** Numbers the rows of lists that have grown. Returns how many were numbered. */
export async function fillEnvelopeBuckets(tx: Tx, size: number, age: string, since: string): Promise<number> {
  const { rows } = await tx.query<{ filled: number }>(
    sql`select fill_envelope_buckets(${size}, ${age}::interval, ${since}::interval) as filled`,
  );
  return rows[0]?.filled ?? 0;
}
