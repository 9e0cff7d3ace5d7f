import { shareRecord } from "../db/locks.ts";
import { join, type Read, raw, sql, type Tx } from "../db/sql.ts";
import type { CustomerId, EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { type ListedEnvelope, open, type Status } from "./envelope.ts";
import { type EnvelopeFilter, isCapped } from "./filter.ts";
import { COLUMNS, conditionsOf, listFiltered, ofCurrentCustomer, SHOWN } from "./filter-store.ts";
import { isDue } from "./status-now.ts";

/** The number of envelopes in a bucket. It is part of the stored numbers, so it never changes. */
export const BUCKET_SIZE = 1_000;

/**
 * All envelopes of an org, or of a customer: one statement for a page and the total, at any offset. Full buckets have numbers and are
 * not counted; only envelopes newer than the last full bucket are. A page within the buckets starts from the bucket that its offset
 * falls into.
 */
const listOf = (subset: string, filter: string, leftOut = "0") => `
  with top as (
    select coalesce(max(bucket_no), 0) as bucket_no, coalesce(max(last_id), '') as last_id from (
      select bucket_no, last_id from envelope_buckets where org_id = $1 and subset = ${subset} order by bucket_no desc limit 1) newest
  ), head as (
    select (count(*) - ${leftOut})::int as n from envelopes where org_id = $1 ${filter === LIVE ? "" : filter} and envelope_id > (select last_id from top)
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

// Counted as a difference, because both counts are read from indexes alone.
const DISCARDED =
  "(select count(*) from envelopes where org_id = $1 and discarded_at is not null and envelope_id > (select last_id from top))";
const LIVE = "and discarded_at is null";

const ALL = listOf("''", "");
const NOT_DISCARDED = listOf("'live'", LIVE, DISCARDED);
const OF_CUSTOMER = listOf("$4", "and customer_id = $4");

/** What is counted as being in a status now: statistics-store.ts reads the same tables. */
const COUNTS = "org_id = $1 and day = '-infinity' and kind = $4";
const COUNTED = `(select coalesce(sum(n), 0) from (
    select n from envelope_counts where ${COUNTS} union all select n from envelope_count_changes where ${COUNTS}) as counts)`;

/**
 * With a status. How many of an org have it is kept with every change; those of one customer are counted. The few that are past their expiry
 * date but not yet swept have their own index: they are subtracted from the open ones and added to the expired ones.
 */
function withStatus(name: string, ofCustomer: "" | "and customer_id = $5"): StatusStatements {
  const ofStatus = `select ${COLUMNS} from envelopes where org_id = $1 and status = $4 ${ofCustomer}`;
  const total = ofCustomer === "" ? COUNTED : `(select count(*) from envelopes where org_id = $1 and status = $4 ${ofCustomer})`;
  const statement = (of: string, listed: string, correction: string): Statement => ({
    name: `list-${of}-envelopes-${name}`,
    text: `
      with due as materialized (
        select ${COLUMNS} from envelopes where org_id = $1 and ${isDue()} ${ofCustomer}
      ), page as (
        ${listed} order by envelope_id desc limit $2 offset $3
      )
      select (${total} ${correction})::int as total, ${SHOWN}
      from (values (1)) as one left join page on true order by envelope_id desc`,
  });
  return {
    ended: statement("ended", ofStatus, ""),
    open: statement("open", `${ofStatus} and (expires_at <= now()) is not true`, "- (select count(*) from due where status = $4)"),
    // The inner limit keeps the order of the index, so that the two lists are merged instead of sorted.
    expired: statement(
      "expired",
      `select * from ((${ofStatus} order by envelope_id desc limit $2::int + $3::int) union all select * from due) as ended`,
      "+ (select count(*) from due)",
    ),
  };
}

const FROM = "coalesce($4::timestamptz, '-infinity')";
const TO = "coalesce($5::timestamptz, 'infinity')";
const FIRST_DAY = `((${FROM} at time zone 'UTC') + interval '1 day' - interval '1 microsecond')::date`;
const LAST_DAY = `(${TO} at time zone 'UTC')::date`;
const midnight = (day: string): string => `(${day}::timestamp at time zone 'UTC')`;
const created = (from: string, to: string): string => `org_id = $1 and created_at >= ${from} and created_at < ${to}`;
const countCreated = (from: string, to: string): string => `(select count(*) from envelopes where ${created(from, to)})`;

/**
 * Created in a span of time. How many were created on each whole day (UTC) is kept with every change, and those of the two other days are
 * counted in an index. Discarded drafts are few and have an index of their own.
 */
const byCreation = (filter: string, leftOut: string): string => `
  with days as (
    select coalesce(sum(n), 0) as n from (
      select n, day from envelope_counts where org_id = $1 and kind = 'created' union all
      select n, day from envelope_count_changes where org_id = $1 and kind = 'created') counts
    where day >= ${FIRST_DAY} and day < ${LAST_DAY}
  ), ids as (
    select envelope_id, row_number() over () as place from (
      select envelope_id from envelopes where ${created(FROM, TO)} ${filter}
      order by created_at desc, envelope_id desc limit $2 offset $3) listed
  ), page as (
    select ids.place, e.* from ids, lateral (
      select ${COLUMNS} from envelopes e where e.org_id = $1 and e.envelope_id = ids.envelope_id offset 0) e
  )
  select ((select n from days)
      + ${countCreated(FROM, `least(${TO}, ${midnight(FIRST_DAY)})`)}
      + ${countCreated(`greatest(${midnight(FIRST_DAY)}, ${midnight(LAST_DAY)})`, TO)}
      - ${leftOut})::int as total, ${SHOWN}
  from (values (1)) as one left join page on true order by place`;

const ALL_BY_CREATION = byCreation("", "0");
const NOT_DISCARDED_BY_CREATION = byCreation(
  LIVE,
  `(select count(*) from envelopes where ${created(FROM, TO)} and discarded_at is not null)`,
);

interface Statement {
  readonly name: string;
  readonly text: string;
}
type StatusStatements = Readonly<Record<"ended" | "open" | "expired", Statement>>;

const OF_ORG = withStatus("with-status", "");
const OF_ONE_CUSTOMER = withStatus("with-status-of-customer", "and customer_id = $5");

function statementWith(status: Status, customer_id: string | undefined): Statement {
  const statements = customer_id === undefined ? OF_ORG : OF_ONE_CUSTOMER;
  return statements[open.includes(status) ? "open" : status === "expired" ? "expired" : "ended"];
}

export async function listEnvelopes(read: Read, org: OrgId, asked: EnvelopeFilter, wanted: PageRequest): Promise<Page<ListedEnvelope>> {
  const filter = await ofCurrentCustomer(read, org, asked);
  const { customer_id, status, external_id, created_from, created_to, discarded } = filter;
  if (isCapped(filter)) return listFiltered(read, org, filter, wanted);
  const at = [org, wanted.limit, (wanted.page - 1) * wanted.limit];
  const isOfTime = created_from !== undefined || created_to !== undefined;
  const isNarrowed = [external_id, customer_id, status, filter.envelope_ids].some((given) => given !== undefined);
  if (isOfTime && !isNarrowed) {
    const ofTime =
      discarded === "exclude"
        ? { name: "list-live-envelopes-by-creation", text: NOT_DISCARDED_BY_CREATION }
        : { name: "list-envelopes-by-creation", text: ALL_BY_CREATION };
    return pageOf(await read.query<Row>({ ...ofTime, values: [...at, created_from ?? null, created_to ?? null] }));
  }
  if (isOfTime || external_id !== undefined) return searchEnvelopes(read, org, filter, wanted);
  const all = discarded === "exclude" ? { name: "list-live-envelopes", text: NOT_DISCARDED } : { name: "list-envelopes", text: ALL };
  const statement =
    status !== undefined
      ? { ...statementWith(status, customer_id), values: [...at, status, ...(customer_id === undefined ? [] : [customer_id])] }
      : customer_id === undefined
        ? { ...all, values: at }
        : { name: "list-envelopes-of-customer", text: OF_CUSTOMER, values: [...at, customer_id] };
  return pageOf(await read.query<Row>(statement));
}

type Row = ListedEnvelope & { readonly total: number };

/** The total is in every row, and in a row without an envelope if the page is empty. */
function pageOf({ rows }: { readonly rows: readonly Row[] }): Page<ListedEnvelope> {
  return { items: rows.filter((row) => row.envelope_id !== null), total: rows[0]?.total ?? 0 };
}

/** By reference, which has an index, or by date together with a customer or a status, whose envelopes are read once and counted at the same time. */
async function searchEnvelopes(
  read: Read,
  org: OrgId,
  filter: EnvelopeFilter,
  { page, limit }: PageRequest,
): Promise<Page<ListedEnvelope>> {
  const found = await read.query<Row>(sql`
    with found as materialized (
      select envelope_id from envelopes e where e.org_id = ${org} and ${join(conditionsOf(org, filter), " and ")}
    ), page as (
      select ${raw(COLUMNS)} from envelopes
      where org_id = ${org} and envelope_id in (select envelope_id from found order by envelope_id desc limit ${limit} offset ${(page - 1) * limit})
    )
    select (select count(*)::int from found) as total, ${raw(SHOWN)}
    from (values (1)) as one left join page on true order by envelope_id desc`);
  return pageOf(found);
}

/**
 * A discarded envelope leaves the list of those that were not discarded, so the buckets of that list from its id on are no longer right. The
 * shared lock waits for the sweep that makes buckets, and makes the sweep pass by.
 */
export async function forgetLiveBuckets(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  await shareRecord(tx, "envelope-buckets", null);
  await tx.query(sql`delete from envelope_buckets where org_id = ${org} and subset = 'live' and last_id >= ${envelope_id}`);
}

/**
 * Younger envelopes get no number, because one with a smaller id may still be committed. Longer than any transaction: the database ends a
 * transaction that is idle for a minute, and a statement after 30 seconds.
 */
export const MIN_AGE = "10 minutes";

interface MovedEnvelopes {
  readonly from: CustomerId;
  readonly into: CustomerId | null;
  /** the first that moved */
  readonly first: EnvelopeId;
}

/**
 * After envelopes of a customer moved to another: the buckets of that list from the first one on are made again here, because the sweep looks
 * only at customers with new envelopes.
 */
export async function renumberCustomers(tx: Tx, org: OrgId, { from, into, first }: MovedEnvelopes): Promise<void> {
  await shareRecord(tx, "envelope-buckets", null);
  await tx.query(sql`
    delete from envelope_buckets where org_id = ${org} and (subset = ${from} or (subset = ${into} and last_id >= ${first}))`);
  if (into === null) return;
  await tx.query(sql`
    with kept as (
      select coalesce(max(bucket_no), 0) as bucket_no, coalesce(max(last_id), '') as last_id
      from envelope_buckets where org_id = ${org} and subset = ${into}
    ), later as (
      select e.envelope_id, row_number() over (order by e.envelope_id) as place from envelopes e
      where e.org_id = ${org} and e.customer_id = ${into} and e.envelope_id > (select last_id from kept)
        and e.created_at <= now() - ${MIN_AGE}::interval
    )
    insert into envelope_buckets (org_id, subset, bucket_no, last_id)
    select ${org}, ${into}, kept.bucket_no + later.place / ${BUCKET_SIZE}::int, later.envelope_id
    from kept, later where later.place % ${BUCKET_SIZE}::int = 0`);
}

/** Numbers the rows of lists that have grown. Returns how many were numbered. */
export async function fillEnvelopeBuckets(tx: Tx, size: number, age: string, since: string): Promise<number> {
  const { rows } = await tx.query<{ filled: number }>(
    sql`select fill_envelope_buckets(${size}, ${age}::interval, ${since}::interval) as filled`,
  );
  return rows[0]?.filled ?? 0;
}
