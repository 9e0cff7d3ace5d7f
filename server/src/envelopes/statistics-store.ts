import { type Read, raw, sql, type Tx } from "../db/sql.ts";
import type { Span } from "../shared/days.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { OrgId } from "../shared/ids.ts";
import { drafts, open, type Status, statuses } from "./envelope.ts";
import type { EnvelopeFilter } from "./filter.ts";
import { isDue } from "./status-now.ts";

/** Figures of an org, from counts that the database keeps with every change of an envelope. */

export type ByStatus = Readonly<Record<Status, number>>;

const changeKinds = ["created", "sent", "completed", "vaulted", "declined", "voided", "expired"] as const;
type ChangeKind = (typeof changeKinds)[number];
export type CountedDay = Readonly<Record<ChangeKind, number>> & { readonly day: string };

export interface Counts {
  readonly by_status: ByStatus;
  /** drafts that were discarded; `by_status` counts them as voided */
  readonly discarded: number;
  /** each day of the span, oldest first */
  readonly days: readonly CountedDay[];
}

/** `day` is null for what envelopes are now. */
interface Row {
  readonly day: string | null;
  readonly kind: string;
  readonly n: number;
}

/**
 * Envelopes past their expiry date count as expired, on the day of that date, even before the sweep has run. One statement, so that all
 * numbers are of the same moment.
 */
export async function countEnvelopes(read: Read, org: OrgId, { since, days }: Span): Promise<Counts> {
  const from = dayOf(since.getTime());
  const wanted = sql`org_id = ${org} and (day = '-infinity' or day >= ${from}::date)`;
  const { rows } = await read.query<Row>(sql`
    with due as materialized (
      select status, (expires_at at time zone 'UTC')::date as day, count(*)::int as n from envelopes where org_id = ${org} and ${raw(isDue())} group by 1, 2
    )
    select nullif(day, '-infinity')::text as day, kind, sum(n)::int as n from (
      select day, kind, n from envelope_counts where ${wanted}
      union all select day, kind, n from envelope_count_changes where ${wanted}
      union all select '-infinity', status, -n from due
      union all select '-infinity', 'expired', n from due
      union all select day, 'expired', n from due where day >= ${from}::date) counted
    group by day, kind`);
  const counted = new Map(rows.map(({ day, kind, n }) => [`${day ?? ""} ${kind}`, n]));
  const countOf = (kind: string, day = ""): number => counted.get(`${day} ${kind}`) ?? 0;
  return {
    by_status: Object.fromEntries(statuses.map((status) => [status, countOf(status)])) as Record<Status, number>,
    discarded: countOf("discarded"),
    days: Array.from({ length: days }, (_, index) => {
      const day = dayOf(since.getTime() + index * DAY_MS);
      return { day, ...(Object.fromEntries(changeKinds.map((kind) => [kind, countOf(kind, day)])) as Record<ChangeKind, number>) };
    }),
  };
}

/**
 * No list of this status or stage has more envelopes than this, whatever its other filters are. `expired` is shown for open ones past their
 * expiry date, too.
 */
export async function mostListed(read: Read, org: OrgId, { status, stage }: Pick<EnvelopeFilter, "status" | "stage">): Promise<number> {
  const ofStatus = status === undefined ? statuses : status === "expired" ? [status, ...open] : [status];
  const ofStage = stage === undefined ? statuses : stage === "draft" ? drafts : open;
  const kinds = ofStatus.filter((one) => ofStage.includes(one));
  const wanted = sql`org_id = ${org} and day = '-infinity' and kind = any(${kinds})`;
  const { rows } = await read.query<{ n: number }>(sql`
    select coalesce(sum(n), 0)::int as n from (
      select n from envelope_counts where ${wanted} union all select n from envelope_count_changes where ${wanted}) counted`);
  return rows[0]?.n ?? 0;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, "YYYY-MM-DD".length);

/** Adds up changes of counts, so that there are few to read. Returns how many were added. */
export async function sumEnvelopeCounts(tx: Tx, limit: number): Promise<number> {
  const { rows } = await tx.query<{ summed: number }>(sql`select sum_envelope_counts(${limit}) as summed`);
  return rows[0]?.summed ?? 0;
}

export interface TimeToSign {
  readonly median_s: number | null;
  readonly p90_s: number | null;
  readonly count: number;
}

// More would not change the figures that people see, and take longer than a page may.
export const MAX_TIMED = 10_000;

/**
 * From sent to the last signature, of the envelopes completed in the span, at most the latest 10,000. Deposited originals were never sent
 * and are left out.
 */
export async function timeToSign(read: Read, org: OrgId, { since }: Span, most = MAX_TIMED): Promise<TimeToSign> {
  const { rows } = await read.query<TimeToSign>(sql`
    select round(percentile_cont(0.5) within group (order by took))::int as median_s,
      round(percentile_cont(0.9) within group (order by took))::int as p90_s, count(*)::int as count
    from (
      select extract(epoch from completed_at - sent_at)::float8 as took from envelopes
      where org_id = ${org} and completed_at >= ${since} and sent_at is not null order by completed_at desc limit ${most}) as completed`);
  return rows[0] ?? { median_s: null, p90_s: null, count: 0 };
}
