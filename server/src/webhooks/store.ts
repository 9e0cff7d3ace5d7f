import { lockRecord } from "../db/locks.ts";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { AttemptId, EndpointId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { DisabledReason, WebhookEndpoint } from "./endpoint.ts";

/** Endpoints. Their deliveries are in delivery-store.ts. */

const columns = sql`endpoint_id, url, description, event_types, enabled, disabled_reason, disabled_at, failing_since, last_success_at,
  secret_rotated_at, case when previous_secret_expires_at > now() then previous_secret_expires_at end as previous_secret_expires_at,
  created_at, updated_at`;

export type NewEndpoint = Pick<WebhookEndpoint, "endpoint_id" | "url" | "description" | "event_types" | "enabled">;

export async function insertEndpoint(tx: Tx, org: OrgId, endpoint: NewEndpoint, secret_enc: Buffer): Promise<void> {
  const { endpoint_id, url, description, event_types, enabled } = endpoint;
  const [reason, at] = enabled ? [null, null] : ["manual", tx.now];
  await tx.query(sql`
    insert into webhook_endpoints (org_id, endpoint_id, url, description, event_types, enabled, disabled_reason, disabled_at, secret_enc)
    values (${org}, ${endpoint_id}, ${url}, ${description}, ${event_types}, ${enabled}, ${reason}, ${at}, ${secret_enc})`);
}

/** Serializes additions of endpoints per organization, so that two cannot both take the last free place. */
export async function countForAdding(tx: Tx, org: OrgId): Promise<number> {
  await lockRecord(tx, "webhook endpoints of", org);
  const { rows } = await tx.query<{ n: number }>(sql`
    select count(*)::int as n from webhook_endpoints where org_id = ${org} and deleted_at is null`);
  return rows[0]?.n ?? 0;
}

export async function findEndpoint(read: Read, org: OrgId, endpoint_id: EndpointId): Promise<WebhookEndpoint> {
  const { rows } = await read.query<WebhookEndpoint>(sql`
    select ${columns} from webhook_endpoints where org_id = ${org} and endpoint_id = ${endpoint_id} and deleted_at is null`);
  return rows[0] ?? notFound();
}

/** The endpoint's row is the lock for its changes and for settling its deliveries. */
export async function lockEndpoint(tx: Tx, org: OrgId, endpoint_id: EndpointId): Promise<WebhookEndpoint> {
  await tx.query(sql`select from webhook_endpoints where org_id = ${org} and endpoint_id = ${endpoint_id} for no key update`);
  return findEndpoint(tx, org, endpoint_id);
}

export async function listEndpoints(read: Read, org: OrgId, { page, limit }: PageRequest): Promise<Page<WebhookEndpoint>> {
  const { rows } = await read.query<WebhookEndpoint>(sql`
    select ${columns} from webhook_endpoints where org_id = ${org} and deleted_at is null
    order by endpoint_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from webhook_endpoints where org_id = ${org} and deleted_at is null`);
  return { items: rows, total: counted[0]?.n ?? 0 };
}

export async function countEnabled(tx: Tx, org: OrgId): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(sql`
    select count(*)::int as n from webhook_endpoints where org_id = ${org} and enabled and deleted_at is null`);
  return rows[0]?.n ?? 0;
}

/** The members that a person can change. */
export async function updateEndpoint(tx: Tx, org: OrgId, endpoint: NewEndpoint): Promise<void> {
  const { endpoint_id, url, description, event_types, enabled } = endpoint;
  await tx.query(sql`
    update webhook_endpoints set url = ${url}, description = ${description}, event_types = ${event_types}, enabled = ${enabled},
      disabled_reason = case when not ${enabled}::boolean then coalesce(disabled_reason, 'manual') end,
      disabled_at = case when not ${enabled}::boolean then coalesce(disabled_at, now()) end,
      updated_at = now()
    where org_id = ${org} and endpoint_id = ${endpoint_id}`);
}

/** The next failure counts as the first. */
export async function resetFailures(tx: Tx, org: OrgId, endpoint_id: EndpointId): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints set failing_since = null, failing_told_at = null where org_id = ${org} and endpoint_id = ${endpoint_id}`);
}

export async function markDisabled(tx: Tx, org: OrgId, endpoint_id: EndpointId, reason: DisabledReason): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints set enabled = false, disabled_reason = ${reason}, disabled_at = now(), updated_at = now()
    where org_id = ${org} and endpoint_id = ${endpoint_id}`);
}

/** Keeps the row for its deliveries and erases its secrets. */
export async function markDeleted(tx: Tx, org: OrgId, endpoint_id: EndpointId): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints set deleted_at = now(), secret_enc = null, previous_secret_enc = null, previous_secret_expires_at = null
    where org_id = ${org} and endpoint_id = ${endpoint_id}`);
}

export async function readSecret(read: Read, org: OrgId, endpoint_id: EndpointId): Promise<Buffer> {
  const { rows } = await read.query<{ secret_enc: Buffer }>(sql`
    select secret_enc from webhook_endpoints where org_id = ${org} and endpoint_id = ${endpoint_id} and deleted_at is null`);
  return rows[0]?.secret_enc ?? notFound();
}

/**
 * The new secret signs from now on; the previous one also signs until `overlap_until`, or not at all if null. There are never more than
 * two.
 */
export async function replaceSecret(
  tx: Tx,
  org: OrgId,
  endpoint_id: EndpointId,
  secret_enc: Buffer,
  overlap_until: Date | null,
): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints set secret_enc = ${secret_enc}, secret_rotated_at = now(), updated_at = now(),
      previous_secret_enc = case when ${overlap_until}::timestamptz is not null then secret_enc end, previous_secret_expires_at = ${overlap_until}
    where org_id = ${org} and endpoint_id = ${endpoint_id}`);
}

/** The failure state of an endpoint. Includes deleted endpoints, because their running requests may end later. */
export interface EndpointState {
  readonly endpoint_id: EndpointId;
  readonly url: string;
  readonly enabled: boolean;
  readonly failing_since: Date | null;
  readonly failing_told_at: Date | null;
  readonly deleted_at: Date | null;
}

/** Locks in the order of ids, so that two transactions cannot deadlock. */
export async function lockEndpointStates(tx: Tx, org: OrgId, endpoint_ids: readonly EndpointId[]): Promise<EndpointState[]> {
  const { rows } = await tx.query<EndpointState>({
    name: "lock-webhook-endpoints",
    text: `select endpoint_id, url, enabled, failing_since, failing_told_at, deleted_at from webhook_endpoints
           where org_id = $1 and endpoint_id = any($2) order by endpoint_id for no key update`,
    values: [org, endpoint_ids],
  });
  return rows;
}

export async function noteSuccess(tx: Tx, org: OrgId, endpoint_ids: readonly EndpointId[]): Promise<void> {
  await tx.query({
    name: "note-webhook-success",
    text: `update webhook_endpoints set last_success_at = now(), failing_since = null, failing_told_at = null
           where org_id = $1 and endpoint_id = any($2)`,
    values: [org, endpoint_ids],
  });
}

/** The endpoint fails since this attempt, but not since before its latest success, which may have overtaken the attempt. */
export async function noteFailing(tx: Tx, org: OrgId, endpoint_id: EndpointId, attempt_id: AttemptId): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints set failing_told_at = null, failing_since = greatest(last_success_at, (
      select attempted_at from webhook_attempts where org_id = ${org} and endpoint_id = ${endpoint_id} and attempt_id = ${attempt_id}))
    where org_id = ${org} and endpoint_id = ${endpoint_id}`);
}

export async function noteNotified(tx: Tx, org: OrgId, endpoint_id: EndpointId): Promise<void> {
  await tx.query(sql`update webhook_endpoints set failing_told_at = now() where org_id = ${org} and endpoint_id = ${endpoint_id}`);
}

function notFound(): never {
  throw new Problem("endpoint_not_found");
}

/** A transaction on the connection of a read, for reads that are recorded. */
export async function inTransaction<T>(read: Read, run: (tx: Read & { readonly now: Date }) => Promise<T>): Promise<T> {
  const { rows } = await read.query<{ now: Date }>(sql`select now() as now`);
  const now = rows[0]?.now ?? new Date();
  await read.query(sql`begin`);
  try {
    const result = await run({ ...read, now });
    await read.query(sql`commit`);
    return result;
  } catch (error) {
    await read.query(sql`rollback`);
    throw error;
  }
}
