import { type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import type { FormId, OrgId, TemplateId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { Slug } from "../shared/slugs.ts";
import type { Form, FormSettings } from "./form.ts";

const columns = sql`f.form_id, f.slug, f.name, f.template_id, f.settings, f.state = 'paused' as is_paused, f.opened, f.owner_user_id, f.created_at, f.updated_at,
  case when (f.settings ->> 'closes_at')::timestamptz <= now() or f.opened >= (f.settings ->> 'max_total')::int
      or (select t.archived_at is not null from templates t where t.org_id = f.org_id and t.template_id = f.template_id)
    then 'closed' else f.state end as state,
  (select count(*)::int from envelopes e where e.org_id = f.org_id and e.form_id = f.form_id and e.completed_at is not null) as completed`;

/** The organization of a form, before the connection has one. */
export async function lookUpSlug(read: Read, slug: Slug): Promise<{ readonly org_id: OrgId; readonly form_id: FormId } | null> {
  const { rows } = await read.query<{ org_id: OrgId; form_id: FormId }>(sql`select org_id, form_id from find_form(${slug})`);
  return rows[0] ?? null;
}

export async function findForm(read: Read, org: OrgId, form_id: FormId): Promise<Form> {
  const { rows } = await read.query<Form>(sql`select ${columns} from public_forms f where f.org_id = ${org} and f.form_id = ${form_id}`);
  if (rows[0] === undefined) throw new Problem("form_not_found");
  return rows[0];
}

/** The form's row is the lock of its counts: envelopes of one form are made one after the other. */
export async function lockForm(tx: Tx, org: OrgId, form_id: FormId): Promise<Form> {
  await tx.query(sql`select from public_forms where org_id = ${org} and form_id = ${form_id} for no key update`);
  return findForm(tx, org, form_id);
}

export interface FormFilter {
  readonly template_id?: TemplateId | undefined;
}

/** Newest first. */
export async function listForms(read: Read, org: OrgId, { template_id }: FormFilter, { page, limit }: PageRequest): Promise<Page<Form>> {
  const wanted: Sql = sql`f.org_id = ${org} and (${template_id ?? null}::text is null or f.template_id = ${template_id ?? null})`;
  const { rows } = await read.query<Form>(sql`
    select ${columns} from (select * from public_forms f where ${wanted} order by form_id desc limit ${limit} offset ${(page - 1) * limit}) f
    order by f.form_id desc`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from public_forms f where ${wanted}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

export type NewForm = Pick<Form, "form_id" | "slug" | "name" | "template_id" | "settings"> & { readonly created_by: string };

/** Its envelopes belong to the user who makes the form, or to the creator of the key that does. */
export async function insertForm(tx: Tx, org: OrgId, form: NewForm): Promise<void> {
  const { form_id, slug, name, template_id, settings, created_by } = form;
  await tx.query(sql`
    insert into public_forms (org_id, form_id, slug, name, template_id, settings, created_by, owner_user_id)
    values (${org}, ${form_id}, ${slug}, ${name}, ${template_id}, ${JSON.stringify(settings)}, ${created_by},
      case when left(${created_by}, 4) = 'usr_' then ${created_by}
        else (select k.created_by from api_keys k where k.org_id = ${org} and k.key_id = ${created_by}) end)`);
}

export interface FormColumns {
  readonly name: string;
  readonly settings: FormSettings;
  readonly is_paused: boolean;
}

export async function updateForm(tx: Tx, org: OrgId, form_id: FormId, { name, settings, is_paused }: FormColumns): Promise<void> {
  await tx.query(sql`
    update public_forms set name = ${name}, settings = ${JSON.stringify(settings)}, state = ${is_paused ? "paused" : "open"}, updated_at = now()
    where org_id = ${org} and form_id = ${form_id}`);
}

export async function countOpened(tx: Tx, org: OrgId, form_id: FormId): Promise<void> {
  await tx.query(sql`update public_forms set opened = opened + 1 where org_id = ${org} and form_id = ${form_id}`);
}

/** Whether the form has made `most` envelopes in the last 24 hours. Reads at most that many. */
export async function isFullToday(read: Read, org: OrgId, form_id: FormId, most: number): Promise<boolean> {
  const { rows } = await read.query<{ full: boolean }>(sql`
    select created_at > now() - interval '24 hours' as full from envelopes
    where org_id = ${org} and form_id = ${form_id} order by envelope_id desc limit 1 offset ${most - 1}`);
  return rows[0]?.full ?? false;
}

export interface FormOrg {
  readonly name: string;
  readonly default_locale: Locale;
  readonly require_mailed_link: boolean;
  readonly min_identity_level: number;
  readonly branding: Readonly<Record<string, unknown>>;
}

export async function orgOfForm(read: Read, org: OrgId): Promise<FormOrg> {
  const { rows } = await read.query<FormOrg>(sql`
    select o.name, s.default_locale, s.require_mailed_link, s.branding, p.min_identity_level
    from orgs o join org_settings s using (org_id) join org_security p using (org_id) where o.org_id = ${org}`);
  if (rows[0] === undefined) throw new Error("the organization has no settings");
  return rows[0];
}

/** What the public page shows. */
export interface ShownForm
  extends Pick<Form, "name">,
    Pick<FormSettings, "verify_email" | "max_per_day">,
    Pick<FormOrg, "default_locale" | "branding"> {
  readonly sender: string;
}

/** Null unless the form is open. */
export async function lookUpShown(read: Read, org: OrgId, { name, state, settings }: Form): Promise<ShownForm | null> {
  if (state !== "open") return null;
  const { name: sender, default_locale, branding } = await orgOfForm(read, org);
  return { name, sender, default_locale, branding, verify_email: settings.verify_email, max_per_day: settings.max_per_day };
}
