import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { EnvelopeId, IssuedCopyId, OrgId } from "../../shared/ids.ts";
import type { AuthoritativeCopy } from "../copy.ts";
import type { PermissionState } from "../custody/permission.ts";

/** The SQL of the vault widget. */

/** The one copy that is shown to the holder of a token. */
export interface Rendition {
  readonly issued_copy_id: IssuedCopyId;
  readonly sha256: string;
  readonly file_name: string;
}

/** Whether this is the token's first call. Also deletes visits whose tokens have expired. */
export async function insertVisit(
  tx: Tx,
  org: OrgId,
  { token_sha256, envelope_id, token_expires_at }: { token_sha256: string; envelope_id: EnvelopeId; token_expires_at: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into vault_visits (org_id, token_sha256, envelope_id, expires_at)
    values (${org}, ${token_sha256}, ${envelope_id}, ${token_expires_at}) on conflict do nothing`);
  if (rowCount === 1) await tx.query(sql`delete from vault_visits where org_id = ${org} and expires_at < now() - interval '1 hour'`);
  return rowCount === 1;
}

/** Null if none was made yet. */
export async function lookUpRendition(read: Read, org: OrgId, token_sha256: string): Promise<Rendition | null> {
  const { rows } = await read.query<Rendition>(sql`
    select copy_id as issued_copy_id, sha256, file_name from vault_visits
    where org_id = ${org} and token_sha256 = ${token_sha256} and copy_id is not null`);
  return rows[0] ?? null;
}

/** False if the token already has one. Of two that were made concurrently, only one is handed out. */
export async function takeRendition(tx: Tx, org: OrgId, token_sha256: string): Promise<boolean> {
  const { rows } = await tx.query(sql`
    select from vault_visits where org_id = ${org} and token_sha256 = ${token_sha256} and copy_id is null for update`);
  return rows.length === 1;
}

export async function setRendition(
  tx: Tx,
  org: OrgId,
  token_sha256: string,
  { issued_copy_id, sha256, file_name }: Rendition,
): Promise<void> {
  await tx.query(sql`
    update vault_visits set copy_id = ${issued_copy_id}, sha256 = ${sha256}, file_name = ${file_name}
    where org_id = ${org} and token_sha256 = ${token_sha256}`);
}

export async function isMember(read: Read, org: OrgId, email: string): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from members m join users u using (user_id) where m.org_id = ${org} and email_key(u.email) = email_key(${email})`);
  return rows.length > 0;
}

export interface CustodyStep {
  /** null for the first custodian */
  readonly from_name: string | null;
  readonly to_name: string;
  readonly state: PermissionState;
  readonly initiated_at: Date;
  readonly activated_at: Date | null;
  readonly closed_at: Date | null;
}

// More than any real copy has; keeps the response bounded.
const MAX_STEPS = 100;

/** Newest first. Includes custodians who have left the organization. */
export async function listCustody(read: Read, org: OrgId, { copy_id }: Pick<AuthoritativeCopy, "copy_id">): Promise<CustodyStep[]> {
  const { rows } = await read.query<CustodyStep>(sql`
    select f.name as from_name, t.name as to_name, p.initiated_at, p.activated_at, p.closed_at,
      case when p.state = 'pending' and p.expires_at <= clock_timestamp() then 'expired' else p.state end as state
    from custodian_permissions p join users t on t.user_id = p.user_id left join users f on f.user_id = p.from_user_id
    where p.org_id = ${org} and p.copy_id = ${copy_id}
    order by p.initiated_at desc, p.permission_id desc limit ${MAX_STEPS}`);
  return rows;
}

/** By the user ids in audit entries. */
export async function namesOfUsers(read: Read, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await read.query<{ user_id: string; name: string }>(sql`select user_id, name from users where user_id = any(${ids})`);
  return new Map(rows.map(({ user_id, name }) => [user_id, name]));
}

/** What the file with this hash is to the vault; null if it does not belong to this record. */
export async function lookUpFile(read: Read, org: OrgId, envelope_id: EnvelopeId, sha256: string): Promise<KnownFile | null> {
  const { rows } = await read.query<KnownFile>(sql`
    select 'authoritative' as kind, copy_id, null::int as revision, stored_at as at from authoritative_copies
    where org_id = ${org} and envelope_id = ${envelope_id} and sha256 = ${sha256}
    union all
    select 'certificate', null, revision, evaluated_at from certificates
    where org_id = ${org} and envelope_id = ${envelope_id} and ${sha256} in (pdf_sha256, json_sha256)
    union all
    select case kind when 'signed' then 'signed' else 'copy' end, copy_id, null, issued_at from copy_issues
    where org_id = ${org} and envelope_id = ${envelope_id} and sha256 = ${sha256}
    limit 1`);
  return rows[0] ?? null;
}

export interface KnownFile {
  /** `signed`: handed out sealed, before the envelope was vaulted */
  readonly kind: "authoritative" | "certificate" | "copy" | "signed";
  readonly copy_id: string | null;
  readonly revision: number | null;
  readonly at: Date;
}
