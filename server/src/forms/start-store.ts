import { type Read, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, FormId, MessageId, OrgId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";

/** A mailed code. Only its hash is stored. */
export interface FormStart {
  readonly code_sha256: string;
  readonly email: string;
  readonly email_key: string;
  readonly name: string;
  readonly locale: Locale;
  readonly message_id: MessageId;
  /** when a mail server accepted the message; null if that is not recorded */
  readonly mail_sent_at: Date | null;
  readonly expires_at: Date;
  readonly envelope_id: EnvelopeId | null;
}

export type NewStart = Pick<FormStart, "code_sha256" | "email" | "name" | "locale" | "message_id" | "expires_at"> & { readonly ip: string };

export async function insertStart(tx: Tx, org: OrgId, form_id: FormId, start: NewStart): Promise<void> {
  const { code_sha256, email, name, locale, message_id, ip, expires_at } = start;
  await tx.query(sql`
    insert into form_starts (org_id, code_sha256, form_id, email, name, locale, message_id, ip, expires_at)
    values (${org}, ${code_sha256}, ${form_id}, ${email}, ${name}, ${locale}, ${message_id}, ${ip}, ${expires_at})`);
}

/** Null for a code that is not this form's or has expired. */
export async function lookUpStart(read: Read, org: OrgId, form_id: FormId, code_sha256: string): Promise<FormStart | null> {
  const { rows } = await read.query<FormStart>(sql`
    select s.code_sha256, s.email, s.email_key, s.name, s.locale, s.message_id, s.expires_at, s.envelope_id, m.sent_at as mail_sent_at
    from form_starts s left join mail_messages m on m.org_id = s.org_id and m.message_id = s.message_id
    where s.org_id = ${org} and s.form_id = ${form_id} and s.code_sha256 = ${code_sha256} and s.expires_at > now()`);
  return rows[0] ?? null;
}

export async function setEnvelope(tx: Tx, org: OrgId, code_sha256: string, envelope_id: EnvelopeId): Promise<void> {
  await tx.query(sql`update form_starts set envelope_id = ${envelope_id} where org_id = ${org} and code_sha256 = ${code_sha256}`);
}

/**
 * The envelope that this address has started on the form and not finished: it waits for the visitor, or was not sent yet because the
 * process that made it has ended.
 */
export async function lookUpOpenCopy(
  read: Read,
  org: OrgId,
  form_id: FormId,
  { email_key, visitor_role }: { readonly email_key: string; readonly visitor_role: string },
): Promise<EnvelopeId | null> {
  const { rows } = await read.query<{ envelope_id: EnvelopeId }>(sql`
    select e.envelope_id from envelopes e
    where e.org_id = ${org} and e.form_id = ${form_id} and e.envelope_id in (
        select s.envelope_id from signers s
        where s.org_id = ${org} and s.email_key = ${email_key} and s.role = ${visitor_role} and s.removed_at is null
          and s.status in ('pending', 'viewed')
        union all
        select f.envelope_id from form_starts f
        where f.org_id = ${org} and f.form_id = ${form_id} and f.email_key = ${email_key} and f.envelope_id is not null)
      and (e.status = 'preparing' or (e.status in ('sent', 'viewed') and e.expires_at > now() and exists (
        select from signers s where s.org_id = ${org} and s.envelope_id = e.envelope_id and s.email_key = ${email_key}
          and s.removed_at is null and s.status in ('pending', 'viewed'))))
    order by e.envelope_id desc limit 1`);
  return rows[0]?.envelope_id ?? null;
}
