import type { rules2, VersionFacts } from "@countersign/evidence";
import { named, type Read, sql, type Tx } from "../db/sql.ts";
import type { Actor } from "../shared/caller.ts";
import type { AuthoritativeCopyId, EnvelopeId, OrgId, PermissionId, UserId } from "../shared/ids.ts";
import type { AuthoritativeCopy } from "./copy.ts";

export type Standing = rules2.Standing;

/** The SQL of the vault: copies, custodians, registers and certificates. */

export type NewCopy = Omit<
  AuthoritativeCopy,
  | "state"
  | "state_before_tamper"
  | "state_since"
  | "custody_version"
  | "control_version"
  | "registry_reference"
  | "lock_kind"
  | "lock_until"
  | "verified_at"
  | "verify_code"
  | "score"
  | "lineage_id"
> & {
  /** only of a record that comes from another vault; otherwise the copy begins a lineage */
  readonly lineage_id?: string;
};

/** False if the envelope already has a copy. Of two that were sealed concurrently, the second is an orphan. */
export async function insertCopy(tx: Tx, org: OrgId, copy: NewCopy): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into authoritative_copies (org_id, copy_id, envelope_id, sha256, size, content_sha256, parent_sha256, source, vault_in, seal_id,
      seal_level, sealed_at, tsa_error, stored_at, retention_until, lock_until, lineage_id)
    values (${org}, ${copy.copy_id}, ${copy.envelope_id}, ${copy.sha256}, ${copy.size}, ${copy.content_sha256}, ${copy.parent_sha256},
      ${copy.source}, ${copy.vault_in}, ${copy.seal_id}, ${copy.seal_level}, ${copy.sealed_at}, ${copy.tsa_error}, ${copy.stored_at},
      ${copy.retention_until}, ${copy.retention_until}, ${copy.lineage_id ?? null})
    on conflict (org_id, envelope_id) do nothing`);
  return rowCount === 1;
}

/** The oldest live copy of the same content that is older than this one. */
export async function lookUpOlderCopy(
  read: Read,
  org: OrgId,
  { content_sha256, stored_at, copy_id }: Pick<AuthoritativeCopy, "content_sha256" | "stored_at" | "copy_id">,
): Promise<{ envelope_id: EnvelopeId; copy_id: AuthoritativeCopyId } | null> {
  const { rows } = await read.query<{ envelope_id: EnvelopeId; copy_id: AuthoritativeCopyId }>(sql`
    select envelope_id, copy_id from authoritative_copies
    where org_id = ${org} and content_sha256 = ${content_sha256} and state in ('active', 'escrowed')
      and (stored_at, copy_id) < (${stored_at}, ${copy_id})
    order by stored_at, copy_id limit 1`);
  return rows[0] ?? null;
}

export interface OrgSettings {
  readonly name: string;
  readonly min_retention_days: number;
  readonly require_external_time: boolean;
  readonly default_custodian_user_id: UserId | null;
  readonly status_shows_parties: boolean;
}

export async function findOrgSettings(read: Read, org: OrgId): Promise<OrgSettings> {
  const { rows } = await read.query<OrgSettings>(sql`
    select o.name, s.min_retention_days, s.require_external_time, s.default_custodian_user_id, s.status_shows_parties
    from orgs o join org_settings s using (org_id) where org_id = ${org}`);
  if (rows[0] === undefined) throw new Error("the organization has no settings");
  return rows[0];
}

/**
 * The custodian that the organization chose, else the person who accepted the terms, else the key's creator, else the oldest admin; each
 * only if still a member.
 */
export async function chooseCustodian(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<UserId> {
  const { rows } = await read.query<{ user_id: UserId }>(sql`
    with wanted (rank, user_id) as (
      select 1, default_custodian_user_id from org_settings where org_id = ${org}
      union all
      select 2, actor ->> 'id' from certification_acceptances where org_id = ${org} and envelope_id = ${envelope_id}
      union all
      select 3, k.created_by from certification_acceptances c join api_keys k on k.org_id = c.org_id and k.key_id = c.actor ->> 'id'
      where c.org_id = ${org} and c.envelope_id = ${envelope_id}
      union all
      select 4, (select user_id from members where org_id = ${org} and role = 'admin' order by created_at, user_id limit 1)
    )
    select w.user_id from wanted w join members m on m.org_id = ${org} and m.user_id = w.user_id order by rank limit 1`);
  if (rows[0] === undefined) throw new Error("the organization has no admin");
  return rows[0].user_id;
}

export interface NewCustodian {
  readonly permission_id: PermissionId;
  readonly copy_id: AuthoritativeCopyId;
  readonly envelope_id: EnvelopeId;
  readonly user_id: UserId;
  readonly initiated_by: Actor;
  readonly at: Date;
}

export async function insertCustodian(
  tx: Tx,
  org: OrgId,
  { permission_id, copy_id, envelope_id, user_id, initiated_by, at }: NewCustodian,
): Promise<void> {
  await tx.query(sql`
    insert into custodian_permissions (org_id, permission_id, copy_id, envelope_id, user_id, state, expected_version, initiated_by, initiated_at, activated_at)
    values (${org}, ${permission_id}, ${copy_id}, ${envelope_id}, ${user_id}, 'active', 1, ${JSON.stringify(initiated_by)}, ${at}, ${at})`);
}

export async function hasAssignment(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<boolean> {
  const { rows } = await read.query(sql`select from assignments where org_id = ${org} and envelope_id = ${envelope_id} limit 1`);
  return rows.length > 0;
}

export interface Certificate {
  readonly revision: number;
  readonly path: string;
  readonly facts_sha256: string;
  readonly json_sha256: string;
  readonly pdf_sha256: string;
  readonly score: number;
  readonly passed: boolean;
  /** the rules that it was made under; those of rules 1 have no grades */
  readonly rules: 1 | 2;
  readonly proven_score: number | null;
  readonly standing: Standing;
  readonly result: Readonly<Record<string, unknown>>;
  readonly evaluated_at: Date;
}

const certificateColumns = sql`revision, path, facts_sha256, json_sha256, pdf_sha256, score, passed, rules, proven_score, standing, result,
  evaluated_at`;

export async function lookUpCertificate(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Certificate | null> {
  const { rows } = await read.query<Certificate>(named("look-up-certificate")`
    select ${certificateColumns} from certificates where org_id = ${org} and envelope_id = ${envelope_id}
    order by revision desc limit 1`);
  return rows[0] ?? null;
}

export type CertificateHashes = Pick<Certificate, "revision" | "facts_sha256" | "json_sha256" | "pdf_sha256">;

/** All revisions, the first one first. */
export async function listCertificates(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<CertificateHashes[]> {
  const { rows } = await read.query<CertificateHashes>(sql`
    select revision, facts_sha256, json_sha256, pdf_sha256 from certificates
    where org_id = ${org} and envelope_id = ${envelope_id} order by revision`);
  return rows;
}

/** The certificate that was made because of this audit entry. */
export async function lookUpCertificateOf(read: Read, org: OrgId, envelope_id: EnvelopeId, cause: string): Promise<Certificate | null> {
  const { rows } = await read.query<Certificate>(sql`
    select ${certificateColumns} from certificates where org_id = ${org} and envelope_id = ${envelope_id} and cause = ${cause}`);
  return rows[0] ?? null;
}

/** False if a concurrent evaluation already took the revision, or was made because of the same audit entry. */
export async function insertCertificate(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  made: Certificate,
  cause: string | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into certificates (org_id, envelope_id, revision, path, facts_sha256, json_sha256, pdf_sha256, score, passed, rules, proven_score,
      standing, result, evaluated_at, cause)
    values (${org}, ${envelope_id}, ${made.revision}, ${made.path}, ${made.facts_sha256}, ${made.json_sha256}, ${made.pdf_sha256}, ${made.score},
      ${made.passed}, ${made.rules}, ${made.proven_score}, ${made.standing}, ${JSON.stringify(made.result)}, ${made.evaluated_at}, ${cause})
    on conflict do nothing`);
  return rowCount === 1;
}

export async function setVerified(tx: Tx, org: OrgId, copy_id: AuthoritativeCopyId, at: Date): Promise<void> {
  await tx.query(sql`update authoritative_copies set verified_at = ${at} where org_id = ${org} and copy_id = ${copy_id}`);
}

export async function lookUpHead(read: Read, org: OrgId, envelope_id: EnvelopeId) {
  const { rows } = await read.query<{ seq: number; hash: string; at: Date }>(sql`
    select seq, hash, at from audit_heads where org_id = ${org} and subject = ${envelope_id} and seq > 0`);
  return rows[0] === undefined ? null : { seq: rows[0].seq, hash: rows[0].hash, at: rows[0].at.toISOString() };
}

/** The line of descent of what was signed. With several documents it begins with the combined one; facts list the others apart. */
export async function listVersions(read: Read, org: OrgId, envelope_id: EnvelopeId) {
  const { rows } = await read.query<Omit<VersionFacts, "found_sha256">>(sql`
    select kind, sha256, parent_sha256 from document_versions v where org_id = ${org} and envelope_id = ${envelope_id}
      and document_no = case when kind in ('received', 'stored') and not exists (
        select from documents d where d.org_id = v.org_id and d.envelope_id = v.envelope_id and d.document_no = 0) then 1 else 0 end
    order by array_position(array['received', 'stored', 'prepared', 'stamped', 'signed', 'authoritative'], kind)`);
  return rows;
}

export interface ActiveCustodian {
  readonly permission_id: PermissionId;
  readonly user_id: UserId;
  readonly activated_at: Date;
}

export async function lookUpActiveCustodian(read: Read, org: OrgId, copy_id: AuthoritativeCopyId): Promise<ActiveCustodian | null> {
  const { rows } = await read.query<ActiveCustodian>(sql`
    select permission_id, user_id, activated_at from custodian_permissions
    where org_id = ${org} and copy_id = ${copy_id} and state = 'active'`);
  return rows[0] ?? null;
}

export async function hasAcceptance(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<boolean> {
  const { rows } = await tx.query(sql`
    select from certification_acceptances where org_id = ${org} and envelope_id = ${envelope_id} limit 1`);
  return rows.length > 0;
}

/** Not the start of the transaction: after a wait for the envelope's lock, that would be too early. */
export async function clock(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>(sql`select date_trunc('milliseconds', clock_timestamp()) as now`);
  return (rows[0] as { now: Date }).now;
}
