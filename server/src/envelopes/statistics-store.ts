import { join, type Read, raw, type Sql, sql } from "../db/sql.ts";
import type { Span } from "../shared/days.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { OrgId } from "../shared/ids.ts";
import { type Status, statuses } from "./envelope.ts";
import { BUCKET_SIZE } from "./list-store.ts";
import { isDue } from "./status-now.ts";

/* Totals by status --------------------------------------------------------------------------------------------------- */

export type ByStatus = Readonly<Record<Status, number>>;

// Counting a million rows takes too long for a page. The number of envelopes and of vaulted ones is known (envelope_buckets, vault_no), so
// completed envelopes are not counted either: they are the rest of the total.
const COUNTED = statuses.filter((status) => status !== "completed" && status !== "vaulted");

interface Counted {
  readonly total: number;
  readonly vaulted: number;
  readonly counts: Readonly<Record<Exclude<Status, "completed" | "vaulted">, number>>;
  readonly due: { readonly sent?: number; readonly viewed?: number };
}

/** Envelopes past their expiry date count as expired, even before the sweep has run. */
export async function countByStatus(read: Read, org: OrgId): Promise<ByStatus> {
  // A full bucket never changes. Its end is read first, so that the database has a value to plan the main query with.
  const { rows: buckets } = await read.query<{ bucket_no: number; last_id: string }>(sql`
    select bucket_no, last_id from envelope_buckets where org_id = ${org} and subset = '' order by bucket_no desc limit 1`);
  const { bucket_no = 0, last_id = "" } = buckets[0] ?? {};
  // One statement, so that all numbers are of the same moment and the rest of the total is correct.
  const { rows } = await read.query<Counted>(sql`
    select ${bucket_no * BUCKET_SIZE}::int
        + (select count(*) from envelopes where org_id = ${org} and envelope_id > ${last_id})::int as total,
      (select coalesce(max(vault_no), 0) from authoritative_copies where org_id = ${org}) as vaulted,
      -- Separately, because each is a range of an index. Together they would scan the whole table.
      (select json_object_agg(s.status, (select count(*) from envelopes e where e.org_id = ${org} and e.status = s.status))
        from unnest(${COUNTED}::text[]) as s (status)) as counts,
      (select coalesce(json_object_agg(d.status, d.n), '{}') from (
        select status, count(*) as n from envelopes where org_id = ${org} and ${due} group by status) d) as due`);
  const [counted] = rows;
  if (counted === undefined) throw new Error("a count returned no row");
  return shares(counted);
}

const due = raw(isDue());

function shares({ total, vaulted, counts, due: { sent = 0, viewed = 0 } }: Counted): ByStatus {
  const open = { sent: counts.sent - sent, viewed: counts.viewed - viewed };
  const completed = total - vaulted - COUNTED.reduce((sum, status) => sum + counts[status], 0);
  return { ...counts, ...open, expired: counts.expired + sent + viewed, completed, vaulted };
}

/** Drafts that were discarded. `countByStatus` counts them as voided. */
export async function countDiscarded(read: Read, org: OrgId): Promise<number> {
  const { rows } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from envelopes where org_id = ${org} and discarded_at is not null`);
  return rows[0]?.n ?? 0;
}

/* Changes by day ----------------------------------------------------------------------------------------------------- */

const changeKinds = ["created", "sent", "completed", "vaulted", "declined", "voided", "expired"] as const;
type ChangeKind = (typeof changeKinds)[number];
export type CountedDay = Readonly<Record<ChangeKind, number>> & { readonly day: string };

/** Each day of the span, oldest first. */
export async function countByDay(read: Read, org: OrgId, { since, days }: Span): Promise<CountedDay[]> {
  const changed = changedSince(org, since);
  // On the day of the expiry date, not the day on which the sweep ran.
  const ended = sql`case status when 'expired' then expires_at else ended_at end`;
  const { rows } = await read.query<Happened>(
    join(
      [
        perDay(since, sql`'created'`, sql`created_at`, changed),
        perDay(since, sql`'sent'`, sql`sent_at`, changed),
        perDay(since, sql`'completed'`, sql`completed_at`, changed),
        perDay(since, sql`status`, ended, sql`${changed} and status in ('declined', 'voided', 'expired')`),
        perDay(since, sql`'expired'`, sql`expires_at`, sql`envelopes where org_id = ${org} and ${due}`),
        perDay(since, sql`'vaulted'`, sql`stored_at`, sql`authoritative_copies where org_id = ${org} and vault_no is not null`),
      ],
      " union all ",
    ),
  );
  return Array.from({ length: days }, (_, index) => dayOf(rows, since.getTime() + index * DAY_MS));
}

interface Happened {
  readonly what: ChangeKind;
  readonly began: Date;
  readonly n: number;
}

function dayOf(rows: readonly Happened[], began: number): CountedDay {
  const ofDay = rows.filter((row) => row.began.getTime() === began);
  const count = (what: ChangeKind) => ofDay.reduce((sum, row) => sum + (row.what === what ? row.n : 0), 0);
  const counts = Object.fromEntries(changeKinds.map((what) => [what, count(what)])) as Record<ChangeKind, number>;
  return { day: new Date(began).toISOString().slice(0, "YYYY-MM-DD".length), ...counts };
}

/**
 * Everything that happened to an envelope in the span changed it in the span or later, so envelopes that have not changed since are
 * skipped.
 */
const changedSince = (org: OrgId, since: Date) => sql`envelopes where org_id = ${org} and updated_at >= ${since}`;

const perDay = (since: Date, what: Sql, at: Sql, of: Sql) => sql`
  select what, date_bin('24 hours', at, ${since}) as began, count(*)::int as n
  from (select ${what} as what, ${at} as at from ${of}) as happened where at >= ${since} group by 1, 2`;

export interface TimeToSign {
  readonly median_s: number | null;
  readonly p90_s: number | null;
  readonly count: number;
}

/** From sent to the last signature, of envelopes completed in the span. Deposited originals were never sent and are left out. */
export async function timeToSign(read: Read, org: OrgId, { since }: Span): Promise<TimeToSign> {
  const { rows } = await read.query<TimeToSign>(sql`
    select round(percentile_cont(0.5) within group (order by took))::int as median_s,
      round(percentile_cont(0.9) within group (order by took))::int as p90_s, count(*)::int as count
    from (
      select extract(epoch from completed_at - sent_at)::float8 as took from ${changedSince(org, since)}
        and completed_at >= ${since} and sent_at is not null) as completed`);
  return rows[0] ?? { median_s: null, p90_s: null, count: 0 };
}
