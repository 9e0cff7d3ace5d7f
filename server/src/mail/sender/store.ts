import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { Checks, MailSender } from "./sender.ts";

export async function lookUpSender(read: Read, org: OrgId): Promise<MailSender | null> {
  const { rows } = await read.query<MailSender>(sql`
    select from_name, from_address, dkim_selector, dkim_key_enc, dkim_public, smtp_enc, checks, checked_at, verified_at
    from mail_senders where org_id = ${org}`);
  return rows[0] ?? null;
}

export async function lockSender(tx: Tx, org: OrgId): Promise<MailSender | null> {
  await tx.query(sql`select from mail_senders where org_id = ${org} for no key update`);
  return lookUpSender(tx, org);
}

export async function saveSender(tx: Tx, org: OrgId, sender: MailSender): Promise<void> {
  const { from_name, from_address, dkim_selector, dkim_key_enc, dkim_public, smtp_enc, checks, checked_at, verified_at } = sender;
  const found = checks === null ? null : JSON.stringify(checks);
  await tx.query(sql`
    insert into mail_senders (org_id, from_name, from_address, dkim_selector, dkim_key_enc, dkim_public, smtp_enc, checks, checked_at, verified_at)
    values (${org}, ${from_name}, ${from_address}, ${dkim_selector}, ${dkim_key_enc}, ${dkim_public}, ${smtp_enc}, ${found}, ${checked_at},
      ${verified_at})
    on conflict (org_id) do update set from_name = ${from_name}, from_address = ${from_address}, dkim_selector = ${dkim_selector},
      dkim_key_enc = ${dkim_key_enc}, dkim_public = ${dkim_public}, smtp_enc = ${smtp_enc}, checks = ${found}, checked_at = ${checked_at},
      verified_at = ${verified_at}, updated_at = now()`);
}

export async function saveChecks(tx: Tx, org: OrgId, checks: Checks, verified_at: Date | null): Promise<void> {
  await tx.query(sql`
    update mail_senders set checks = ${JSON.stringify(checks)}, checked_at = now(), verified_at = ${verified_at}, updated_at = now()
    where org_id = ${org}`);
}

/** False if there was none. */
export async function deleteSender(tx: Tx, org: OrgId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`delete from mail_senders where org_id = ${org}`);
  return rowCount === 1;
}
