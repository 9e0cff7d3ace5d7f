import { type Read, sql, type Tx } from "../db/sql.ts";
import type { SealedValue } from "../secrets/value-sealing.ts";
import type { AuditSinkId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { PlacedEntry } from "./position-store.ts";
import type { AuditSink } from "./sink.ts";

const columns = sql`sink_id, kind, target, enabled, after, last_success_at, failing_since, failures, last_error, next_attempt_at, created_at, updated_at`;

const numbered = <R extends { readonly after: number }>(row: R): R => ({ ...row, after: Number(row.after) });

export async function listSinks(read: Read, org: OrgId, { page, limit }: PageRequest): Promise<Page<AuditSink>> {
  const { rows } = await read.query<AuditSink>(sql`
    select ${columns} from audit_sinks where org_id = ${org} order by sink_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from audit_sinks where org_id = ${org}`);
  return { items: rows.map(numbered), total: counted[0]?.total ?? 0 };
}

/** Two requests that add a sink take turns. */
export async function countForAdding(tx: Tx, org: OrgId): Promise<number> {
  await tx.query(sql`select from orgs where org_id = ${org} for no key update`);
  const { rows } = await tx.query<{ n: number }>(sql`select count(*)::int as n from audit_sinks where org_id = ${org}`);
  return rows[0]?.n ?? 0;
}

export async function lookUpSink(read: Read, org: OrgId, sink_id: AuditSinkId): Promise<AuditSink | null> {
  const { rows } = await read.query<AuditSink>(sql`select ${columns} from audit_sinks where org_id = ${org} and sink_id = ${sink_id}`);
  return rows[0] === undefined ? null : numbered(rows[0]);
}

export async function findSink(read: Read, org: OrgId, sink_id: AuditSinkId): Promise<AuditSink> {
  const sink = await lookUpSink(read, org, sink_id);
  if (sink === null) throw new Problem("audit_sink_not_found");
  return sink;
}

export async function lockSink(tx: Tx, org: OrgId, sink_id: AuditSinkId): Promise<AuditSink> {
  await tx.query(sql`select from audit_sinks where org_id = ${org} and sink_id = ${sink_id} for no key update`);
  return findSink(tx, org, sink_id);
}

/** Null for syslog. */
export async function lookUpSecret(read: Read, org: OrgId, sink_id: AuditSinkId): Promise<SealedValue | null> {
  const { rows } = await read.query<SealedValue>(sql`
    select key_no, secret_sealed as sealed from audit_sinks
    where org_id = ${org} and sink_id = ${sink_id} and secret_sealed is not null`);
  return rows[0] ?? null;
}

type NewSink = Pick<AuditSink, "sink_id" | "kind" | "target" | "enabled" | "after">;

export async function insertSink(tx: Tx, org: OrgId, { sink_id, kind, target, enabled, after }: NewSink, secret: SealedValue | null) {
  await tx.query(sql`
    insert into audit_sinks (org_id, sink_id, kind, target, secret_sealed, key_no, enabled, after)
    values (${org}, ${sink_id}, ${kind}, ${target}, ${secret?.sealed ?? null}, ${secret?.key_no ?? null}, ${enabled}, ${after})`);
}

/** A change is a new start: the next attempt is due at once, and earlier failures are forgotten. */
export async function changeSink(tx: Tx, org: OrgId, { sink_id, target, enabled, after }: Omit<NewSink, "kind">): Promise<void> {
  await tx.query(sql`
    update audit_sinks set target = ${target}, enabled = ${enabled}, after = ${after}, failing_since = null, failures = 0, last_error = null,
      next_attempt_at = null, told_at = null, updated_at = now()
    where org_id = ${org} and sink_id = ${sink_id}`);
}

export async function removeSink(tx: Tx, org: OrgId, sink_id: AuditSinkId): Promise<void> {
  await tx.query(sql`delete from audit_sinks where org_id = ${org} and sink_id = ${sink_id}`);
}

export async function listDueSinks(read: Read): Promise<{ org_id: OrgId; sink_id: AuditSinkId }[]> {
  const { rows } = await read.query<{ org_id: OrgId; sink_id: AuditSinkId }>(sql`select org_id, sink_id from due_sinks()`);
  return rows;
}

/** False if the sink was changed, or another worker was faster. Then the same lines may have arrived twice. */
export async function advanceSink(tx: Tx, org: OrgId, { sink_id, after, target }: AuditSink, to: number): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update audit_sinks set after = ${to}, last_success_at = now(), failing_since = null, failures = 0, last_error = null,
      next_attempt_at = null, told_at = null
    where org_id = ${org} and sink_id = ${sink_id} and after = ${after} and target = ${target}`);
  return rowCount === 1;
}

/** Returns since when the sink fails; null if it was changed in the meantime. */
export async function noteFailure(
  tx: Tx,
  org: OrgId,
  { sink_id, after, target }: AuditSink,
  error: string,
  wait_seconds: number,
): Promise<Date | null> {
  const { rows } = await tx.query<{ failing_since: Date }>(sql`
    update audit_sinks set failing_since = coalesce(failing_since, now()), failures = failures + 1, last_error = ${error},
      next_attempt_at = now() + make_interval(secs => ${wait_seconds})
    where org_id = ${org} and sink_id = ${sink_id} and after = ${after} and target = ${target} returning failing_since`);
  return rows[0]?.failing_since ?? null;
}

/** False if the admins were told about these failures before. */
export async function markTold(tx: Tx, org: OrgId, sink_id: AuditSinkId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update audit_sinks set told_at = now() where org_id = ${org} and sink_id = ${sink_id} and told_at is null`);
  return rowCount === 1;
}

// The operator's system -------------------------------------------------------------------------------------------------

/** Where to continue. A target that was not used before begins at `last`. */
export async function findOperatorPosition(tx: Tx, target: string, last: number): Promise<number> {
  await tx.query(sql`insert into operator_sinks (target, after) values (${target}, ${last}) on conflict do nothing`);
  const { rows } = await tx.query<{ after: string }>(sql`select after from operator_sinks where target = ${target}`);
  return Number(rows[0]?.after);
}

export async function advanceOperator(tx: Tx, target: string, after: number, to: number): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update operator_sinks set after = ${to}, failing_since = null, last_error = null where target = ${target} and after = ${after}`);
  return rowCount === 1;
}

export async function noteOperatorFailure(tx: Tx, target: string, error: string): Promise<void> {
  await tx.query(sql`
    update operator_sinks set failing_since = coalesce(failing_since, now()), last_error = ${error} where target = ${target}`);
}

export async function listAllPlaced(
  read: Read,
  { after, until, limit }: { readonly after: number; readonly until: number; readonly limit: number },
): Promise<(PlacedEntry & { readonly org_id: OrgId })[]> {
  const { rows } = await read.query<PlacedEntry & { org_id: OrgId }>(sql`
    select leaf_index, org_id, subject, seq, type, at, actor, data, hash, prev from list_placed_entries(${after}, ${until}, ${limit})`);
  return rows.map((row) => ({ ...row, leaf_index: Number(row.leaf_index) }));
}
