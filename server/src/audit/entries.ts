import type { Json } from "@countersign/evidence";
import { type Read, sql } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { AuditType } from "./catalogue.ts";

/** An action of one person in one signing session, as recorded in the data of its entry. */
export interface SessionAct {
  readonly type: AuditType;
  readonly envelope_id: EnvelopeId;
  readonly user_email: string;
  readonly signing_session: string;
}

/** Whether the action is in the envelope's chain. Reads only that chain. */
export async function hasEntry(read: Read, org: OrgId, { type, envelope_id, user_email, signing_session }: SessionAct): Promise<boolean> {
  const { rows } = await read.query<{ found: boolean }>(sql`
    select exists (
      select from audit_entries e join audit_entry_data d using (org_id, subject, seq)
      where e.org_id = ${org} and e.subject = ${envelope_id} and e.type = ${type}
        and d.data ->> 'signing_session' = ${signing_session} and d.data ->> 'user_email' = ${user_email}
    ) as found`);
  return rows[0]?.found === true;
}

/**
 * Who requested a token: the key or person that vouches for its holder. Two requests in the same second for the same person get the
 * same token; then both are named. Null for tokens from before their hash was recorded.
 */
export async function lookUpMinters(read: Read, org: OrgId, envelope_id: EnvelopeId, token_sha256: string): Promise<string | null> {
  const { rows } = await read.query<{ minters: string | null }>(sql`
    select string_agg(distinct e.actor ->> 'id', ' or ') as minters
    from audit_entries e join audit_entry_data d using (org_id, subject, seq)
    where e.org_id = ${org} and e.subject = ${envelope_id} and e.type = 'token.minted' and d.data ->> 'token_sha256' = ${token_sha256}`);
  return rows[0]?.minters ?? null;
}

export interface KnownEntry {
  readonly type: AuditType;
  readonly data: Readonly<Record<string, Json>>;
  /** entries before the latest entry of this type do not count */
  readonly since: AuditType;
}

/** Whether a chain has an entry with this type and all of this data. */
export async function isRecorded(read: Read, org: OrgId, subject: EnvelopeId | OrgId, { type, data, since }: KnownEntry): Promise<boolean> {
  const { rows } = await read.query<{ found: boolean }>(sql`
    select exists (
      select from audit_entries e join audit_entry_data d using (org_id, subject, seq)
      where e.org_id = ${org} and e.subject = ${subject} and e.type = ${type} and d.data @> ${JSON.stringify(data)}::jsonb
        and e.seq > coalesce((select max(s.seq) from audit_entries s where s.org_id = ${org} and s.subject = ${subject} and s.type = ${since}), 0)
    ) as found`);
  return rows[0]?.found === true;
}

export async function hasEntryOf(read: Read, org: OrgId, subject: EnvelopeId | OrgId, type: AuditType): Promise<boolean> {
  const { rows } = await read.query(sql`
    select from audit_entries where org_id = ${org} and subject = ${subject} and type = ${type} limit 1`);
  return rows.length > 0;
}
