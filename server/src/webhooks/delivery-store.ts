import { type Read, type SystemTx, sql, type Tx } from "../db/sql.ts";
import { type AttemptId, type DeliveryId, type EndpointId, type EventId, newId, type OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { Attempt, AttemptError, Delivery, Status } from "./delivery.ts";

/**
 * Deliveries and their attempts. Statements that run for every delivery are prepared by name and take a batch. Events, deliveries and attempts
 * are in partitions by the event's id, so these statements name it: otherwise each would look into every partition.
 */

const deliveryColumns = sql`delivery_id, endpoint_id, event_id, event_type, envelope_id, status, attempt_count, next_attempt_at, created_at`;
const attemptColumns = sql`attempt_id, delivery_id, endpoint_id, event_id, event_type, envelope_id, status, response_code, response_body,
  response_body_truncated, attempt_count, duration_ms, next_retry_at, error, trigger, url, created_at, attempted_at`;

/* Fan-out ------------------------------------------------------------------------------------------------------------ */

export interface EventToFanOut {
  readonly event_id: EventId;
  readonly event_type: string;
  readonly occurred_at: Date;
}

/**
 * In commit order. The lock makes a second fan-out of the organization wait for the first, so the deliveries of an event never become
 * visible before those of an event that committed earlier.
 */
export async function lockEventsToFanOut(tx: Tx, org: OrgId, limit: number): Promise<EventToFanOut[]> {
  const { rows } = await tx.query<EventToFanOut>({
    name: "lock-events-to-fan-out",
    text: `select event_id, event_type, occurred_at from events where org_id = $1 and fanned_out_at is null order by event_seq limit $2
           for no key update`,
    values: [org, limit],
  });
  return rows;
}

export interface Subscriber {
  readonly endpoint_id: EndpointId;
  readonly event_types: string[];
  readonly created_at: Date;
}

export async function listSubscribers(tx: Tx, org: OrgId): Promise<Subscriber[]> {
  const { rows } = await tx.query<Subscriber>({
    name: "list-webhook-subscribers",
    text: "select endpoint_id, event_types, created_at from webhook_endpoints where org_id = $1 and deleted_at is null",
    values: [org],
  });
  return rows;
}

export interface NewDelivery {
  readonly delivery_id: DeliveryId;
  readonly event_id: EventId;
  readonly endpoint_id: EndpointId;
}

/** One per event and endpoint, even with concurrent fan-outs. */
export async function insertDeliveries(tx: Tx, org: OrgId, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx.query({
    name: "insert-webhook-deliveries",
    text: `
      insert into webhook_deliveries
        (org_id, delivery_id, endpoint_id, event_id, event_type, envelope_id, event_seq, status, trigger, next_attempt_at)
      select $1, n.delivery_id, n.endpoint_id, v.event_id, v.event_type, v.envelope_id, v.event_seq, 'pending',
        case v.event_type when 'webhook.test' then 'test' else 'event' end, now()
      from unnest($2::text[], $3::text[], $4::text[]) as n (delivery_id, event_id, endpoint_id)
      join events v on v.org_id = $1 and v.event_id = n.event_id
      on conflict (org_id, event_id, endpoint_id) do nothing`,
    values: [
      org,
      deliveries.map((one) => one.delivery_id),
      deliveries.map((one) => one.event_id),
      deliveries.map((one) => one.endpoint_id),
    ],
  });
}

const rangeOf = (ids: readonly EventId[]): [first: EventId | undefined, last: EventId | undefined] => {
  const sorted = [...ids].sort();
  return [sorted[0], sorted.at(-1)];
};

export async function markFannedOut(tx: Tx, org: OrgId, event_ids: readonly EventId[]): Promise<void> {
  await tx.query({
    name: "mark-events-fanned-out",
    // The range tells a statement that was planned for any values which partitions it needs.
    text: `update events set fanned_out_at = now()
           where org_id = $1 and event_id = any($2) and event_id >= $3 and event_id <= $4`,
    values: [org, event_ids, ...rangeOf(event_ids)],
  });
}

/* Delivering --------------------------------------------------------------------------------------------------------- */

export interface Due {
  readonly org_id: OrgId;
  readonly event_id: EventId;
  readonly delivery_id: DeliveryId;
}

export interface Places {
  readonly limit: number;
  readonly perEndpoint: number;
  readonly perOrg: number;
}

/** Of the organizations in shards that no other worker takes from at this moment. Waits for no one. */
export async function takeDue(tx: SystemTx, { limit, perEndpoint, perOrg }: Places, leaseSeconds: number): Promise<Due[]> {
  const { rows } = await tx.query<Due>({
    name: "take-due-of-shards",
    text: "select org_id, event_id, delivery_id from take_due_of_shards($1, $2, $3, make_interval(secs => $4))",
    values: [limit, perEndpoint, perOrg, leaseSeconds],
  });
  return rows;
}

export interface Begun extends Omit<Ready, "enabled"> {
  readonly org_id: OrgId;
  readonly attempt_id: AttemptId;
}

/**
 * Records an attempt of each delivery, of any organizations. Those that it leaves out need a transaction of their organization: they are
 * locked, pending no longer, or their endpoint is disabled.
 */
export async function beginAttempts(tx: SystemTx, due: readonly Due[]): Promise<Begun[]> {
  const attempt_ids = due.map(() => newId("attempt", tx.now.getTime()));
  const { rows } = await tx.query<Begun>({
    name: "begin-webhook-attempts",
    text: `select org_id, delivery_id, attempt_id, endpoint_id, event_id, run, failures, url, secret_enc, previous_secret_enc, body
           from begin_attempts($1, $2, $3, $4)`,
    values: [due.map((one) => one.org_id), due.map((one) => one.event_id), due.map((one) => one.delivery_id), attempt_ids],
  });
  return rows;
}

export interface Success {
  readonly org_id: OrgId;
  readonly attempt_id: AttemptId;
  readonly delivery_id: DeliveryId;
  readonly endpoint_id: EndpointId;
  readonly event_id: EventId;
  readonly run: number;
  readonly failures: number;
  readonly url: string;
  readonly response_code: number;
  readonly response_body: string;
  readonly response_body_truncated: boolean;
  readonly duration_ms: number;
}

/** Of any organizations. Returns those whose endpoint someone else has locked, which need a transaction of their organization. */
export async function settleSuccesses(tx: SystemTx, succeeded: readonly Success[]): Promise<Set<AttemptId>> {
  const { rows } = await tx.query<{ attempt_id: AttemptId }>({
    name: "settle-webhook-successes",
    text: "select attempt_id from settle_successes($1)",
    values: [JSON.stringify(succeeded)],
  });
  return new Set(rows.map((row) => row.attempt_id));
}

export interface Ready {
  readonly delivery_id: DeliveryId;
  readonly endpoint_id: EndpointId;
  readonly event_id: EventId;
  readonly run: number;
  readonly failures: number;
  readonly url: string;
  readonly enabled: boolean;
  readonly secret_enc: Buffer | null;
  /** null after it has expired */
  readonly previous_secret_enc: Buffer | null;
  readonly body: Buffer;
}

/** Deliveries that are still pending. Locked, so that two workers that both hold the same delivery take turns. */
export async function lockReady(tx: Tx, org: OrgId, delivery_ids: readonly DeliveryId[]): Promise<Ready[]> {
  const { rows } = await tx.query<Ready>({
    name: "lock-ready-deliveries",
    text: `
      select d.delivery_id, d.endpoint_id, d.event_id, d.run, d.failures, e.url, e.enabled and e.deleted_at is null as enabled,
        e.secret_enc, case when e.previous_secret_expires_at > now() then e.previous_secret_enc end as previous_secret_enc, v.body
      from webhook_deliveries d
      join webhook_endpoints e on e.org_id = d.org_id and e.endpoint_id = d.endpoint_id
      join events v on v.org_id = d.org_id and v.event_id = d.event_id
      where d.org_id = $1 and d.delivery_id = any($2) and d.status = 'pending'
      order by d.delivery_id for no key update of d`,
    values: [org, delivery_ids],
  });
  return rows;
}

export interface NewAttempt {
  readonly attempt_id: AttemptId;
  readonly delivery_id: DeliveryId;
  readonly event_id: EventId;
  readonly url: string;
}

/** Also marks an earlier attempt that a crash interrupted, whose result is unknown. */
export async function insertAttempts(tx: Tx, org: OrgId, attempts: readonly NewAttempt[]): Promise<void> {
  await tx.query({
    name: "insert-webhook-attempts",
    text: `
      with begun as (
        select * from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as n (attempt_id, delivery_id, event_id, url)
      ), cut_off as (
        update webhook_attempts a set status = 'failed', error = 'interrupted' from begun n
        where a.org_id = $1 and a.event_id = n.event_id and a.delivery_id = n.delivery_id and a.status = 'pending'
      ), counted as (
        update webhook_deliveries d set attempt_count = attempt_count + 1 from begun n
        where d.org_id = $1 and d.event_id = n.event_id and d.delivery_id = n.delivery_id returning d.*
      )
      insert into webhook_attempts (org_id, attempt_id, delivery_id, endpoint_id, event_id, event_type, envelope_id, status, trigger, run,
        attempt_count, url, attempted_at)
      select $1, n.attempt_id, d.delivery_id, d.endpoint_id, d.event_id, d.event_type, d.envelope_id, 'pending', d.trigger, d.run,
        d.attempt_count, n.url, clock_timestamp()
      from begun n join counted d on d.delivery_id = n.delivery_id`,
    values: [
      org,
      attempts.map((one) => one.attempt_id),
      attempts.map((one) => one.delivery_id),
      attempts.map((one) => one.event_id),
      attempts.map((one) => one.url),
    ],
  });
}

export interface SettledAttempt {
  readonly attempt_id: AttemptId;
  readonly event_id: EventId;
  readonly status: Extract<Status, "succeeded" | "failed">;
  readonly error: AttemptError | null;
  readonly response_code: number | null;
  readonly response_body: string | null;
  readonly response_body_truncated: boolean;
  readonly duration_ms: number;
  readonly next_retry_at: Date | null;
}

/** Settles only attempts that are still pending, because another worker may have taken over the delivery. Returns the settled ones. */
export async function settleAttempts(tx: Tx, org: OrgId, settled: readonly SettledAttempt[]): Promise<Set<AttemptId>> {
  const { rows } = await tx.query<{ attempt_id: AttemptId }>({
    name: "settle-webhook-attempts",
    text: `
      update webhook_attempts a set status = s.status, error = s.error, response_code = s.response_code, response_body = s.response_body,
        response_body_truncated = s.response_body_truncated, duration_ms = s.duration_ms,
        -- Only if this is still the delivery's current attempt: it may have been cancelled or restarted in the meantime.
        next_retry_at = (select s.next_retry_at from webhook_deliveries d
          where d.org_id = $1 and d.event_id = a.event_id and d.delivery_id = a.delivery_id and d.run = a.run and d.status = 'pending')
      from json_to_recordset($2) as s (attempt_id text, event_id text, status text, error text, response_code smallint, response_body text,
        response_body_truncated boolean, duration_ms integer, next_retry_at timestamptz)
      where a.org_id = $1 and a.event_id = s.event_id and a.attempt_id = s.attempt_id and a.status = 'pending' returning a.attempt_id`,
    values: [org, JSON.stringify(settled)],
  });
  return new Set(rows.map((row) => row.attempt_id));
}

export interface SettledDelivery {
  readonly delivery_id: DeliveryId;
  readonly event_id: EventId;
  readonly run: number;
  readonly status: Exclude<Status, "cancelled">;
  readonly failures: number;
  /** null unless it is pending again */
  readonly next_attempt_at: Date | null;
}

/**
 * Releases deliveries. The result of an earlier run changes nothing else, and neither does a failure of a delivery that was cancelled in
 * the meantime; a success is always recorded.
 */
export async function settleDeliveries(tx: Tx, org: OrgId, settled: readonly SettledDelivery[]): Promise<void> {
  await tx.query({
    name: "settle-webhook-deliveries",
    text: `
      with s as (
        select * from json_to_recordset($2) as s (delivery_id text, event_id text, run integer, status text, failures integer,
          next_attempt_at timestamptz)
      ), let_go as (
        select d.delivery_id, d.run = s.run and (d.status = 'pending' or s.status = 'succeeded') as counts
        from s join webhook_deliveries d on d.org_id = $1 and d.event_id = s.event_id and d.delivery_id = s.delivery_id
      )
      update webhook_deliveries d set leased_until = null,
        status = case when l.counts then s.status else d.status end,
        failures = case when l.counts then s.failures else d.failures end,
        trigger = case when l.counts and s.failures > d.failures then 'retry' else d.trigger end,
        next_attempt_at = case when l.counts then s.next_attempt_at else d.next_attempt_at end
      from s join let_go l on l.delivery_id = s.delivery_id
      where d.org_id = $1 and d.event_id = s.event_id and d.delivery_id = s.delivery_id`,
    values: [org, JSON.stringify(settled)],
  });
}

/** Cancels everything that waits for an endpoint. Each cancelled delivery is recorded, so that it can be replayed. */
export async function cancelPending(tx: Tx, org: OrgId, endpoint_id: EndpointId): Promise<void> {
  const { rows } = await tx.query<{ delivery_id: DeliveryId }>(sql`
    update webhook_deliveries set status = 'cancelled', next_attempt_at = null
    where org_id = ${org} and endpoint_id = ${endpoint_id} and status = 'pending' returning delivery_id`);
  await insertCancelled(
    tx,
    org,
    rows.map((row) => row.delivery_id),
  );
}

export async function cancelDeliveries(tx: Tx, org: OrgId, delivery_ids: readonly DeliveryId[]): Promise<void> {
  await tx.query(sql`
    update webhook_deliveries set status = 'cancelled', next_attempt_at = null, leased_until = null
    where org_id = ${org} and delivery_id = any(${delivery_ids})`);
  await insertCancelled(tx, org, delivery_ids);
}

/** For the operator, before a restored installation is released. Returns how many there were. */
export async function cancelAllPending(tx: Tx, org: OrgId): Promise<number> {
  const { rows } = await tx.query<{ delivery_id: DeliveryId }>(sql`
    update webhook_deliveries set status = 'cancelled', next_attempt_at = null where org_id = ${org} and status = 'pending' returning delivery_id`);
  await insertCancelled(
    tx,
    org,
    rows.map((row) => row.delivery_id),
    "cancelled_by_operator",
  );
  return rows.length;
}

async function insertCancelled(
  tx: Tx,
  org: OrgId,
  delivery_ids: readonly DeliveryId[],
  error: AttemptError = "endpoint_disabled",
): Promise<void> {
  if (delivery_ids.length === 0) return;
  const attempt_ids = delivery_ids.map(() => newId("attempt", tx.now.getTime()));
  await tx.query(sql`
    update webhook_attempts set next_retry_at = null
    where org_id = ${org} and delivery_id = any(${delivery_ids}) and next_retry_at is not null`);
  // If its worker died, no result will follow. If the worker is alive, it settles the attempt later, and that result is accepted.
  await tx.query(sql`
    update webhook_attempts a set status = 'failed', error = 'interrupted'
    where a.org_id = ${org} and a.delivery_id = any(${delivery_ids}) and a.status = 'pending' and exists (
      select from webhook_deliveries d
      where d.org_id = a.org_id and d.delivery_id = a.delivery_id and (d.leased_until is null or d.leased_until <= now()))`);
  await tx.query(sql`
    insert into webhook_attempts (org_id, attempt_id, delivery_id, endpoint_id, event_id, event_type, envelope_id, status, trigger, run,
      attempt_count, url, error)
    select d.org_id, n.attempt_id, d.delivery_id, d.endpoint_id, d.event_id, d.event_type, d.envelope_id, 'cancelled', d.trigger, d.run,
      d.attempt_count, e.url, ${error}
    from unnest(${attempt_ids}::text[], ${delivery_ids}::text[]) as n (attempt_id, delivery_id)
    -- The limit makes PostgreSQL look up each row by key, whatever row count it estimates.
    cross join lateral (select * from webhook_deliveries where org_id = ${org} and delivery_id = n.delivery_id limit 1) d
    join webhook_endpoints e on e.org_id = d.org_id and e.endpoint_id = d.endpoint_id`);
}

/** When the latest failed attempts of an endpoint before this one were made, newest first. Aborted attempts are not included. */
export async function lastFailures(tx: Tx, org: OrgId, endpoint_id: EndpointId, before: AttemptId, limit: number): Promise<Date[]> {
  const { rows } = await tx.query<{ attempted_at: Date }>(sql`
    select attempted_at from webhook_attempts
    where org_id = ${org} and endpoint_id = ${endpoint_id} and attempt_id < ${before} and status = 'failed' and error <> 'interrupted'
    order by attempt_id desc limit ${limit}`);
  return rows.map((row) => row.attempted_at);
}

/* Replay ------------------------------------------------------------------------------------------------------------- */

/** Restarts the schedule; results of earlier attempts no longer count. */
const again = sql`status = 'pending', trigger = 'replay', run = run + 1, failures = 0, next_attempt_at = now()`;

export async function restartDelivery(tx: Tx, org: OrgId, delivery_id: DeliveryId): Promise<void> {
  await tx.query(sql`
    update webhook_attempts set next_retry_at = null
    where org_id = ${org} and delivery_id = ${delivery_id} and next_retry_at is not null`);
  await tx.query(sql`update webhook_deliveries set ${again} where org_id = ${org} and delivery_id = ${delivery_id}`);
}

export interface Range {
  readonly since: Date;
  readonly until: Date | null;
  readonly statuses: readonly Status[];
  readonly event_types: readonly string[];
  /** where an earlier call ended; null to start from the beginning */
  readonly after: DeliveryId | null;
}

export interface Replayed {
  /** deliveries in the range after `after`, and how many of them were queued */
  readonly matched: number;
  readonly queued: number;
  /** the last one that was queued, if there are more after it */
  readonly next_after: DeliveryId | null;
}

/**
 * Matches deliveries that were created, attempted or cancelled in the time range: a delivery that was still waiting when its endpoint was
 * disabled was created long before.
 */
const matching = (org: OrgId, endpoint_id: EndpointId, { since, until, statuses, event_types, after }: Range) => sql`
  org_id = ${org} and endpoint_id = ${endpoint_id} and status = any(${statuses}) and event_type = any(${event_types})
  and (${after}::text is null or delivery_id > ${after})
  and (created_at >= ${since} and (${until}::timestamptz is null or created_at < ${until}) or exists (
    select from webhook_attempts a
    where a.org_id = ${org} and a.delivery_id = webhook_deliveries.delivery_id and a.created_at >= ${since}
      and (${until}::timestamptz is null or a.created_at < ${until})))`;

export async function countMatching(read: Read, org: OrgId, endpoint_id: EndpointId, range: Range): Promise<number> {
  const { rows } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from webhook_deliveries where ${matching(org, endpoint_id, range)}`);
  return rows[0]?.n ?? 0;
}

/** At most `limit`, oldest first. Replayed deliveries may match again in the next call, so that call continues after the last one. */
export async function restartRange(tx: Tx, org: OrgId, endpoint_id: EndpointId, range: Range, limit: number): Promise<Replayed> {
  const { rows } = await tx.query<{ delivery_id: DeliveryId; matched: number }>(sql`
    select delivery_id, count(*) over ()::int as matched from webhook_deliveries where ${matching(org, endpoint_id, range)}
    order by delivery_id limit ${limit}`);
  const delivery_ids = rows.map((row) => row.delivery_id);
  // A separate statement with the ids as values: the plan of a single joined statement depended on statistics, and with outdated ones it
  // compared every row with every other.
  await tx.query(sql`update webhook_deliveries set ${again} where org_id = ${org} and delivery_id = any(${delivery_ids})`);
  const [matched, queued] = [rows[0]?.matched ?? 0, rows.length];
  return { matched, queued, next_after: queued < matched ? (delivery_ids.at(-1) ?? null) : null };
}

/* Looking ------------------------------------------------------------------------------------------------------------ */

export interface AttemptFilter {
  readonly status?: Status | undefined;
  readonly event_type?: string | undefined;
  readonly event_id?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

export async function listAttempts(
  read: Read,
  org: OrgId,
  endpoint_id: EndpointId,
  filter: AttemptFilter,
  { page, limit }: PageRequest,
): Promise<Page<Attempt>> {
  const { status = null, event_type = null, event_id = null, since = null, until = null } = filter;
  const found = sql`org_id = ${org} and endpoint_id = ${endpoint_id} and (${status}::text is null or status = ${status})
    and (${event_type}::text is null or event_type = ${event_type}) and (${event_id}::text is null or event_id = ${event_id})
    and (${since}::timestamptz is null or created_at >= ${since}) and (${until}::timestamptz is null or created_at < ${until})`;
  const { rows } = await read.query<Attempt>(sql`
    select ${attemptColumns} from webhook_attempts where ${found} order by attempt_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ n: number }>(sql`select count(*)::int as n from webhook_attempts where ${found}`);
  return { items: rows, total: counted[0]?.n ?? 0 };
}

export interface DeliveryWithPayload extends Delivery {
  readonly body: Buffer;
  readonly attempts: readonly Attempt[];
}

// A schedule has ten attempts, and each replay ten more. Older ones are in the endpoint's list of attempts.
const SHOWN_ATTEMPTS = 200;

export async function findDelivery(read: Read, org: OrgId, delivery_id: DeliveryId): Promise<Delivery> {
  const { rows } = await read.query<Delivery>(sql`
    select ${deliveryColumns} from webhook_deliveries where org_id = ${org} and delivery_id = ${delivery_id}`);
  const delivery = rows[0];
  if (delivery === undefined) throw new Problem("delivery_not_found");
  return delivery;
}

export async function findDeliveryWithPayload(read: Read, org: OrgId, delivery_id: DeliveryId): Promise<DeliveryWithPayload> {
  const delivery = await findDelivery(read, org, delivery_id);
  const { rows: events } = await read.query<{ body: Buffer }>(sql`
    select body from events where org_id = ${org} and event_id = ${delivery.event_id}`);
  const { rows: attempts } = await read.query<Attempt>(sql`
    select ${attemptColumns} from webhook_attempts where org_id = ${org} and delivery_id = ${delivery_id}
    order by attempt_id desc limit ${SHOWN_ATTEMPTS}`);
  const body = events[0]?.body;
  if (body === undefined) throw new Error("a delivery has no event");
  return { ...delivery, body, attempts };
}
