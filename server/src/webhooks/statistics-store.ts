import { type Read, sql, type Tx } from "../db/sql.ts";
import type { Span } from "../shared/days.ts";
import { DAY_MS } from "../shared/durations.ts";
import { type EndpointId, newId, type OrgId } from "../shared/ids.ts";
import { type Attempted, errorOf } from "./delivery.ts";

/** Attempts that our own worker aborted say nothing about a receiver and are not counted, as in judgeEndpoints. */
export async function countAttempts(tx: Tx, org: OrgId, attempted: readonly Attempted[]): Promise<void> {
  const ended = attempted.filter(({ outcome }) => errorOf(outcome) !== "interrupted");
  if (ended.length === 0) return;
  await tx.query({
    name: "count-webhook-attempts",
    text: `
      insert into webhook_days as d (org_id, day, endpoint_id, succeeded, failed)
      select $1, (now() at time zone 'UTC')::date, endpoint_id, count(*) filter (where arrived), count(*) filter (where not arrived)
      from unnest($2::text[], $3::boolean[]) as a (endpoint_id, arrived) group by endpoint_id
      on conflict (org_id, day, endpoint_id) do update set succeeded = d.succeeded + excluded.succeeded, failed = d.failed + excluded.failed`,
    values: [org, ended.map(({ prepared }) => prepared.endpoint_id), ended.map(({ outcome }) => errorOf(outcome) === null)],
  });
}

export interface CountedDay {
  readonly day: string;
  readonly succeeded: number;
  readonly failed: number;
}

export interface WebhookFigures {
  readonly days: readonly CountedDay[];
  readonly endpoints: number;
  readonly failing: number;
}

/** All endpoints of an organization together, including deliveries of deleted endpoints. */
export async function countWebhooks(read: Read, org: OrgId, span: Span): Promise<WebhookFigures> {
  const days = await countByDay(read, org, null, span);
  // A manually disabled endpoint is not expected to work.
  const { rows } = await read.query<{ endpoints: number; failing: number }>(sql`
    select count(*)::int as endpoints,
      (count(*) filter (where failing_since is not null and disabled_reason is distinct from 'manual'))::int as failing
    from webhook_endpoints where org_id = ${org} and deleted_at is null`);
  return { days, ...(rows[0] ?? { endpoints: 0, failing: 0 }) };
}

/** Deliveries that were given up and not replayed since, up to this many. Those of deleted endpoints cannot be replayed. */
export async function countFailedDeliveries(read: Read, org: OrgId, most: number): Promise<number> {
  const { rows } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from (
      select from webhook_endpoints w join webhook_deliveries d on d.org_id = w.org_id and d.endpoint_id = w.endpoint_id and d.status = 'failed'
      where w.org_id = ${org} and w.deleted_at is null limit ${most}) as counted`);
  return rows[0]?.n ?? 0;
}

export interface TimedDay extends CountedDay {
  /** duration of the requests, including failed ones; null if no attempt of the day is kept any more */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

export async function countOfEndpoint(read: Read, org: OrgId, endpoint_id: EndpointId, span: Span): Promise<TimedDay[]> {
  const days = await countByDay(read, org, endpoint_id, span);
  const durations = new Map((await durationsByDay(read, org, endpoint_id, span)).map((one) => [one.day, one]));
  return days.map((day) => ({ ...day, p50_ms: durations.get(day.day)?.p50_ms ?? null, p95_ms: durations.get(day.day)?.p95_ms ?? null }));
}

/** Every day of the span, oldest first. */
async function countByDay(read: Read, org: OrgId, endpoint_id: EndpointId | null, { since, days }: Span): Promise<CountedDay[]> {
  const { rows } = await read.query<CountedDay>(sql`
    select to_char(began, 'YYYY-MM-DD') as day, coalesce(sum(d.succeeded), 0)::int as succeeded, coalesce(sum(d.failed), 0)::int as failed
    from generate_series(0, ${days - 1}::int) as n, lateral (select (${since} at time zone 'UTC')::date + n) as each_day (began)
      left join webhook_days d on d.org_id = ${org} and d.day = began and (${endpoint_id}::text is null or d.endpoint_id = ${endpoint_id})
    group by began order by began`);
  return rows;
}

type Durations = Pick<TimedDay, "day" | "p50_ms" | "p95_ms">;

async function durationsByDay(read: Read, org: OrgId, endpoint_id: EndpointId, { since }: Span): Promise<Durations[]> {
  // Attempts are found by their ids, which are ordered by time. An id is created before its request is sent, but the day is the one on
  // which the request ended, so the search starts a day early.
  const from = newId("attempt", since.getTime() - DAY_MS);
  const { rows } = await read.query<Durations>(sql`
    select to_char(ended_on, 'YYYY-MM-DD') as day, percentile_disc(0.5) within group (order by duration_ms) as p50_ms,
      percentile_disc(0.95) within group (order by duration_ms) as p95_ms
    from (
      select ((attempted_at + duration_ms * interval '1 ms') at time zone 'UTC')::date as ended_on, duration_ms from webhook_attempts
      where org_id = ${org} and endpoint_id = ${endpoint_id} and attempt_id >= ${from} and status in ('succeeded', 'failed')
        and error is distinct from 'interrupted' and duration_ms is not null) as ended
    group by ended_on`);
  return rows;
}
