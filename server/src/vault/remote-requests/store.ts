import type { DecidedBy } from "@countersign/evidence";
import { join, type Read, type Sql, sql, type Tx } from "../../db/sql.ts";
import type { Actor } from "../../shared/caller.ts";
import type { OrgId, RemoteRequestId, RemoteVaultId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import { requireOne } from "../copy.ts";
import type { Question, RemoteRequest, RequestOutcome, RequestState } from "./request.ts";

/** The SQL of the decider: what other installations ask. */

const columns = sql`r.org_id, r.request_id, r.vault_id, r.asker_root, r.asker_org_id, r.decider_root, r.act_id, r.party_id, r.org_name, r.document,
  r.act_sha256, r.received_at, r.expires_at, r.expires_at <= clock_timestamp() as is_overdue, r.updated_at, r.decision, r.reason, r.decided_by,
  r.decided_at, r.outcome, r.closed_at, r.settled_at, r.attempts, r.last_error,
  (select v.name from remote_vaults v where v.org_id = r.org_id and v.vault_id = r.vault_id) as vault_name`;

export async function findRequest(read: Read, org: OrgId, request_id: RemoteRequestId): Promise<RemoteRequest> {
  const { rows } = await read.query<RemoteRequest>(sql`
    select ${columns} from remote_requests r where r.org_id = ${org} and r.request_id = ${request_id}`);
  if (rows[0] === undefined) throw new Problem("remote_request_not_found");
  return rows[0];
}

/** Waits for other decisions and messages about the same request. */
export async function lockRequest(tx: Tx, org: OrgId, request_id: RemoteRequestId): Promise<RemoteRequest> {
  await tx.query(sql`select from remote_requests where org_id = ${org} and request_id = ${request_id} for no key update`);
  return findRequest(tx, org, request_id);
}

export async function lookUpRequestOf(
  read: Read,
  org: OrgId,
  { vault_id, act_id, party_id }: Omit<Question, "org_id">,
): Promise<RemoteRequest | null> {
  const { rows } = await read.query<RemoteRequest>(sql`
    select ${columns} from remote_requests r
    where r.org_id = ${org} and r.vault_id = ${vault_id} and r.act_id = ${act_id} and r.party_id = ${party_id}`);
  return rows[0] ?? null;
}

type Required =
  | "request_id"
  | "vault_id"
  | "asker_root"
  | "asker_org_id"
  | "decider_root"
  | "act_id"
  | "party_id"
  | "org_name"
  | "document"
  | "act_sha256"
  | "expires_at";

/** False if the request is known. */
export async function insertRequest(tx: Tx, org: OrgId, one: Pick<RemoteRequest, Required>): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into remote_requests (org_id, request_id, vault_id, asker_root, asker_org_id, decider_root, act_id, party_id, org_name, document,
      act_sha256, expires_at, received_at, updated_at)
    values (${org}, ${one.request_id}, ${one.vault_id}, ${one.asker_root}, ${one.asker_org_id}, ${one.decider_root}, ${one.act_id},
      ${one.party_id}, ${one.org_name}, ${one.document}, ${one.act_sha256}, ${one.expires_at}, ${tx.now}, ${tx.now})
    on conflict do nothing`);
  return rowCount === 1;
}

export interface Decided {
  readonly decision: "confirm" | "refuse";
  readonly reason: string | null;
  readonly decided_by: DecidedBy;
}

/** The caller holds the request's lock, and found it open. */
export async function recordDecided(
  tx: Tx,
  org: OrgId,
  { request_id }: Pick<RemoteRequest, "request_id">,
  { decision, reason, decided_by }: Decided,
): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update remote_requests set decision = ${decision}, reason = ${reason}, decided_by = ${JSON.stringify(decided_by)}, decided_at = ${tx.now},
      updated_at = ${tx.now}, attempts = 0, next_at = ${tx.now}
    where org_id = ${org} and request_id = ${request_id} and decision is null and outcome is null`);
  requireOne(rowCount, `${request_id} is open no longer`);
}

/** Nothing is sent about it afterwards. The first outcome stays. */
export async function closeRequest(
  tx: Tx,
  org: OrgId,
  { request_id }: Pick<RemoteRequest, "request_id">,
  outcome: RequestOutcome,
): Promise<void> {
  await tx.query(sql`
    update remote_requests set outcome = ${outcome}, closed_at = ${tx.now}, updated_at = ${tx.now}, settled_at = coalesce(settled_at, ${tx.now}),
      last_error = null
    where org_id = ${org} and request_id = ${request_id} and outcome is null`);
}

/** When to try again. */
export async function recordDecisionAttempt(
  tx: Tx,
  org: OrgId,
  { request_id }: Pick<RemoteRequest, "request_id">,
  { seconds, error }: { readonly seconds: number; readonly error: string },
): Promise<void> {
  await tx.query(sql`
    update remote_requests set attempts = attempts + 1, last_error = ${error}, next_at = clock_timestamp() + make_interval(secs => ${seconds})
    where org_id = ${org} and request_id = ${request_id} and settled_at is null`);
}

export async function settleRequest(tx: Tx, org: OrgId, { request_id }: Pick<RemoteRequest, "request_id">): Promise<void> {
  await tx.query(sql`
    update remote_requests set settled_at = clock_timestamp(), last_error = null
    where org_id = ${org} and request_id = ${request_id} and settled_at is null`);
}

/** Those of a vault that have not ended. */
export async function listUnclosed(read: Read, org: OrgId, vault_id: RemoteVaultId): Promise<RemoteRequest[]> {
  const { rows } = await read.query<RemoteRequest>(sql`
    select ${columns} from remote_requests r
    where r.org_id = ${org} and r.vault_id = ${vault_id} and r.outcome is null order by r.request_id`);
  return rows;
}

export interface RequestFilter {
  readonly state?: RequestState;
  readonly updated_since?: string;
}

const inState: Readonly<Record<RequestState, Sql>> = {
  open: sql`r.outcome is null and r.decision is null and r.expires_at > clock_timestamp()`,
  decided: sql`r.outcome is null and r.decision is not null`,
  closed: sql`(r.outcome is not null or (r.decision is null and r.expires_at <= clock_timestamp()))`,
};

export async function listRemoteRequests(
  read: Read,
  org: OrgId,
  { state, updated_since }: RequestFilter,
  { page, limit }: PageRequest,
): Promise<Page<RemoteRequest>> {
  const conditions = [sql`r.org_id = ${org}`];
  if (state !== undefined) conditions.push(inState[state]);
  if (updated_since !== undefined) conditions.push(sql`r.updated_at >= ${new Date(updated_since)}`);
  const which = join(conditions, " and ");
  const { rows } = await read.query<RemoteRequest>(sql`
    select ${columns} from remote_requests r where ${which} order by r.request_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from remote_requests r where ${which}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

/** The names of the member and of the key that they used; null if they are not a member. */
export async function lookUpNames(
  read: Read,
  org: OrgId,
  user_id: string,
  actor: Actor,
): Promise<{ readonly name: string; readonly key_name: string | null } | null> {
  const { rows } = await read.query<{ name: string; key_name: string | null }>(sql`
    select u.name, (select k.partner_name from api_keys k where k.org_id = ${org} and k.key_id = ${actor.id}) as key_name
    from members m join users u using (user_id) where m.org_id = ${org} and m.user_id = ${user_id}`);
  return rows[0] ?? null;
}
