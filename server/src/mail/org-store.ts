import { named, type Read, sql } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import type { Brand } from "./look.ts";
import type { MailText } from "./texts/text.ts";

/** What an organization decides about its messages. */
export interface MailOrg extends Brand {
  readonly default_locale: Locale;
  readonly time_zone: string;
  readonly contact_email: string | null;
  readonly completed_mail: "link" | "attachment";
  readonly texts: readonly MailText[];
}

export async function findMailOrg(read: Read, org: OrgId): Promise<MailOrg> {
  const { rows } = await read.query<MailOrg>(named("find-mail-org")`
    select o.name, s.default_locale, s.time_zone, s.contact_email, s.completed_mail, s.logo is not null as has_logo,
      s.branding->>'accent' as accent, s.branding->>'accent_text' as accent_text,
      coalesce((select jsonb_agg(jsonb_build_object('kind', t.kind, 'locale', t.locale, 'subject', t.subject, 'intro', t.intro, 'footer', t.footer))
        from mail_texts t where t.org_id = s.org_id), '[]') as texts
    from orgs o join org_settings s using (org_id) where o.org_id = ${org}`);
  const found = rows[0];
  if (found === undefined) throw new Error("the organization has no settings");
  return found;
}

export async function lookUpMailLogo(read: Read, org: OrgId): Promise<Uint8Array | null> {
  const { rows } = await read.query<{ logo: Buffer | null }>(sql`select logo from org_settings where org_id = ${org}`);
  return rows[0]?.logo ?? null;
}
