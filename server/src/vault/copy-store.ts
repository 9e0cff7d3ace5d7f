import { named, type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import type { AuthoritativeCopyId, EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type CopyState, type LockedCopy, live, requireOne } from "./copy.ts";

export const columns = sql`c.copy_id, c.envelope_id, c.sha256, c.size, c.content_sha256, c.parent_sha256, c.source, c.vault_in, c.seal_id,
  c.seal_level, c.sealed_at, c.tsa_error, c.stored_at, c.state, c.state_before_tamper, c.state_since, c.custody_version, c.control_version, c.registry_reference, c.retention_until,
  c.lock_kind, c.lock_until, c.verified_at, c.verify_code, c.score, c.lineage_id, date_trunc('milliseconds', clock_timestamp()) as now`;

/** Also finds a copy that is stored but has no certificate yet, while the envelope is still `completed`. */
export async function lookUpCopy(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<LockedCopy | null> {
  const { rows } = await read.query<LockedCopy>(named("look-up-copy")`
    select ${columns} from authoritative_copies c where c.org_id = ${org} and c.envelope_id = ${envelope_id}`);
  return rows[0] ?? null;
}

/** 404 if the envelope does not exist, 409 if it is not vaulted. */
export async function findCopy(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<LockedCopy> {
  const { rows } = await read.query<LockedCopy & { status: string; copy_id: AuthoritativeCopyId | null }>(named("find-copy")`
    select ${columns}, e.status from envelopes e left join authoritative_copies c using (org_id, envelope_id)
    where org_id = ${org} and envelope_id = ${envelope_id}`);
  if (rows[0] === undefined) throw new Problem("envelope_not_found");
  const { status, ...copy } = rows[0];
  if (copy.copy_id === null || status !== "vaulted") throw new Problem("envelope_not_vaulted", status);
  return copy;
}

/** By the copy's own id, for callers that have it from another row. */
export async function lockCopyById(tx: Tx, org: OrgId, copy_id: AuthoritativeCopyId): Promise<LockedCopy> {
  await tx.query(sql`select from authoritative_copies where org_id = ${org} and copy_id = ${copy_id} for no key update`);
  const [copy] = await copiesBy(tx, org, sql`c.copy_id = ${copy_id}`);
  if (copy === undefined) throw new Error(`a row refers to ${copy_id}, which does not exist`);
  return copy;
}

/** The first lock of custody and vault exports. A caller that also needs the envelope's row locks that one first. */
export async function lockCopy(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<LockedCopy> {
  await tx.query(
    named("lock-copy")`select from authoritative_copies where org_id = ${org} and envelope_id = ${envelope_id} for no key update`,
  );
  return findCopy(tx, org, envelope_id);
}

export async function copiesBy(read: Read, org: OrgId, which: Sql): Promise<LockedCopy[]> {
  const { rows } = await read.query<LockedCopy>(sql`select ${columns} from authoritative_copies c where c.org_id = ${org} and ${which}`);
  return rows;
}

/** Moves the copy from the state in which the caller, who holds its lock, found it. */
export async function setCopyState(
  tx: Tx,
  org: OrgId,
  { copy_id, state: from, now }: LockedCopy,
  to: Exclude<CopyState, "tampered">,
): Promise<void> {
  const since = live.includes(to) ? null : now;
  const { rowCount } = await tx.query(sql`
    update authoritative_copies set state = ${to}, state_since = ${since}, state_before_tamper = null
    where org_id = ${org} and copy_id = ${copy_id} and state = ${from}`);
  requireOne(rowCount, `${copy_id} is ${from} no longer`);
}
