import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { Locale } from "../../shared/locales.ts";
import type { MailText, MailTextKind } from "./text.ts";

export type StoredText = MailText & { readonly updated_at: Date };

export async function listTexts(read: Read, org: OrgId): Promise<StoredText[]> {
  const { rows } = await read.query<StoredText>(sql`
    select kind, locale, subject, intro, footer, updated_at from mail_texts where org_id = ${org} order by kind, locale`);
  return rows;
}

export async function saveText(tx: Tx, org: OrgId, { kind, locale, subject, intro, footer }: MailText): Promise<StoredText> {
  const { rows } = await tx.query<StoredText>(sql`
    insert into mail_texts (org_id, kind, locale, subject, intro, footer) values (${org}, ${kind}, ${locale}, ${subject}, ${intro}, ${footer})
    on conflict (org_id, kind, locale) do update set subject = ${subject}, intro = ${intro}, footer = ${footer}, updated_at = now()
    returning kind, locale, subject, intro, footer, updated_at`);
  const saved = rows[0];
  if (saved === undefined) throw new Error("the text was not saved");
  return saved;
}

/** Null: every kind, or every language. Returns what was there. */
export async function deleteTexts(
  tx: Tx,
  org: OrgId,
  kind: MailTextKind | null,
  locale: Locale | null,
): Promise<{ readonly kind: MailTextKind; readonly locale: Locale }[]> {
  const { rows } = await tx.query<{ kind: MailTextKind; locale: Locale }>(sql`
    delete from mail_texts where org_id = ${org} and kind = coalesce(${kind}, kind) and locale = coalesce(${locale}, locale)
    returning kind, locale`);
  return rows;
}

/** Name and address of a member. */
export async function findReader(read: Read, org: OrgId, user_id: string): Promise<{ readonly name: string; readonly email: string }> {
  const { rows } = await read.query<{ name: string; email: string }>(sql`
    select u.name, u.email from members m join users u using (user_id) where m.org_id = ${org} and m.user_id = ${user_id}`);
  const reader = rows[0];
  if (reader === undefined) throw new Error("the caller is not a member");
  return reader;
}
