import { named, type Read, sql, type Tx } from "../db/sql.ts";
import { newId, type OrgId, type TemplateId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { Field } from "../signing/field.ts";
import type { SentEnvelope } from "../signing/submission.ts";
import type { TemplateDefaults } from "./defaults.ts";
import { insertDocument, listDocuments, type NewTemplateDocument } from "./document-store.ts";
import type { TemplateRole } from "./role.ts";
import type { ListedTemplate, Template, WholeTemplate } from "./template.ts";

const columns = sql`t.template_id, t.name, t.external_id,
  (select case when bool_and(d.pdf_sha256 is not null) then min(d.pdf_sha256) filter (where d.document_no = 1) end
    from template_documents d where d.org_id = t.org_id and d.template_id = t.template_id) as document_sha256,
  (select coalesce(jsonb_agg(p.page order by d.document_no, p.nth), '[]')
    from template_documents d, jsonb_array_elements(d.pages) with ordinality as p (page, nth)
    where d.org_id = t.org_id and d.template_id = t.template_id) as pages, t.provider, t.provider_template_id, t.created_at,
  t.updated_at, t.archived_at, t.maker_roles, t.roles as role_rows, t.defaults, t.revision,
  array(select g.name from template_tags tt join tags g using (org_id, tag_key)
    where tt.org_id = t.org_id and tt.template_id = t.template_id order by tt.tag_key) as tags`;

export type NewTemplate = Omit<Template, "created_at" | "updated_at" | "archived_at" | "revision" | "tags"> & {
  readonly created_by: string;
  /** if there are several; otherwise the one document is that of the template */
  readonly documents?: readonly Omit<NewTemplateDocument, "document_id">[];
};

export async function insertTemplate(tx: Tx, org: OrgId, template: NewTemplate, fields: readonly Field[]): Promise<void> {
  const { template_id, name, external_id, document_sha256, pages, maker_roles, provider, provider_template_id, created_by } = template;
  const { role_rows, defaults } = template;
  await tx.query(sql`
    insert into templates (org_id, template_id, name, external_id, maker_roles, provider, provider_template_id, created_by, roles, defaults)
    values (${org}, ${template_id}, ${name}, ${external_id}, ${maker_roles}, ${provider}, ${provider_template_id}, ${created_by},
      ${JSON.stringify(role_rows)}, ${JSON.stringify(defaults)})`);
  const documents = template.documents ?? [{ document_no: 1, name, pdf_sha256: document_sha256, pages }];
  for (const document of documents) {
    await insertDocument(tx, org, template_id, { document_id: newId("document", tx.now.getTime()), ...document });
  }
  await insertFields(tx, org, template_id, fields, 0);
}

/** Inserts the fields with positions starting at `first`, in one statement for any number of fields. */
export async function insertFields(tx: Tx, org: OrgId, id: TemplateId, fields: readonly Field[], first: number): Promise<void> {
  if (fields.length === 0) return;
  const rows = fields.map((field, index) => ({ ...field, position: first + index }));
  await tx.query({
    name: "insert-template-fields",
    text: `
      insert into template_fields (org_id, template_id, position, name, type, role, required, readonly, default_value, options, areas, anchor_match,
        settings, field_key, document_no)
      select $1, $2, f.position, f.name, f.type, f.role, f.required, f.readonly, f.default_value, f.options, f.areas, f.anchor_match,
        f.settings, f.field_key, f.document_no
      from jsonb_to_recordset($3) as f (position int, name text, type text, role text, required boolean, readonly boolean, default_value text,
        options text[], areas jsonb, anchor_match jsonb, settings jsonb, field_key text, document_no int)`,
    values: [org, id, JSON.stringify(rows)],
  });
}

export async function findTemplate(read: Read, org: OrgId, template_id: TemplateId): Promise<Template> {
  const { rows } = await read.query<Template>(
    named("find-template")`select ${columns} from templates t where org_id = ${org} and template_id = ${template_id}`,
  );
  const template = rows[0];
  if (template === undefined) throw new Problem("template_not_found");
  return template;
}

/** With its documents and fields. */
export async function findWholeTemplate(read: Read, org: OrgId, template_id: TemplateId): Promise<WholeTemplate> {
  return {
    template: await findTemplate(read, org, template_id),
    documents: await listDocuments(read, org, template_id),
    fields: await findFields(read, org, template_id),
  };
}

/** The template's row is the lock of its fields. */
export async function lockTemplate(tx: Tx, org: OrgId, template_id: TemplateId): Promise<Template> {
  await tx.query(sql`select from templates where org_id = ${org} and template_id = ${template_id} for no key update`);
  return findTemplate(tx, org, template_id);
}

export async function findFields(read: Read, org: OrgId, template_id: TemplateId): Promise<Field[]> {
  const { rows } = await read.query<Field>(named("find-template-fields")`
    select name, type, role, required, readonly, default_value, options, settings, field_key, areas, anchor_match,
      document_no
    from template_fields
    where org_id = ${org} and template_id = ${template_id} order by position`);
  return rows;
}

export async function nextPosition(tx: Tx, org: OrgId, template_id: TemplateId): Promise<number> {
  const { rows } = await tx.query<{ next: number }>(sql`
    select coalesce(max(position) + 1, 0) as next from template_fields where org_id = ${org} and template_id = ${template_id}`);
  return rows[0]?.next ?? 0;
}

export async function deleteFields(tx: Tx, org: OrgId, template_id: TemplateId): Promise<void> {
  await tx.query(sql`delete from template_fields where org_id = ${org} and template_id = ${template_id}`);
}

export async function touchTemplate(tx: Tx, org: OrgId, template_id: TemplateId, by: string): Promise<void> {
  await updateTemplate(tx, org, template_id, {}, by);
}

export interface TemplateColumns {
  readonly name?: string;
  readonly role_rows?: readonly TemplateRole[];
  readonly defaults?: TemplateDefaults;
}

/** Every change counts as a revision. */
export async function updateTemplate(tx: Tx, org: OrgId, template_id: TemplateId, to: TemplateColumns, by: string): Promise<void> {
  const { name = null, role_rows, defaults } = to;
  await tx.query(sql`
    update templates set updated_at = now(), updated_by = ${by}, revision = revision + 1, name = coalesce(${name}, name),
      roles = coalesce(${role_rows === undefined ? null : JSON.stringify(role_rows)}::jsonb, roles),
      defaults = coalesce(${defaults === undefined ? null : JSON.stringify(defaults)}::jsonb, defaults)
    where org_id = ${org} and template_id = ${template_id}`);
}

/** Whether this call restored it. */
export async function markRestored(tx: Tx, org: OrgId, template_id: TemplateId): Promise<boolean> {
  const { archived_at } = await lockTemplate(tx, org, template_id);
  if (archived_at === null) return false;
  await tx.query(sql`
    update templates set archived_at = null, updated_at = now() where org_id = ${org} and template_id = ${template_id}`);
  return true;
}

/** When it was archived, now or earlier. `changed` says whether this call archived it. */
export async function markArchived(tx: Tx, org: OrgId, template_id: TemplateId): Promise<{ archived_at: Date; changed: boolean }> {
  const { archived_at } = await lockTemplate(tx, org, template_id);
  if (archived_at !== null) return { archived_at, changed: false };
  await tx.query(sql`update templates set archived_at = now(), updated_at = now() where org_id = ${org} and template_id = ${template_id}`);
  return { archived_at: tx.now, changed: true };
}

export interface TemplateFilter {
  /** text in the name or the external id, ignoring case */
  readonly q?: string | undefined;
  readonly external_id?: string | undefined;
  /** as tags are compared */
  readonly tag?: string | undefined;
  readonly archived?: "exclude" | "only" | undefined;
}

/** Newest first. Without a filter, those that are not archived. */
export async function listTemplates(
  read: Read,
  org: OrgId,
  { q, external_id, tag, archived = "exclude" }: TemplateFilter,
  { page, limit }: PageRequest,
): Promise<Page<ListedTemplate>> {
  const ofTag = sql`and exists (
    select from template_tags g where g.org_id = ${org} and g.template_id = t.template_id and g.tag_key = ${tag ?? null})`;
  const wanted = sql`t.org_id = ${org} and t.archived_at ${archived === "only" ? sql`is not null` : sql`is null`}
    and (${external_id ?? null}::text is null or t.external_id = ${external_id ?? null}) ${tag === undefined ? sql`` : ofTag}
    ${q === undefined ? sql`` : sql`and (strpos(lower(t.name), lower(${q})) > 0 or strpos(lower(t.external_id), lower(${q})) > 0)`}`;
  const { rows } = await read.query<ListedTemplate>(sql`
    select ${columns}, f.field_count, f.roles
    from (select * from templates t where ${wanted} order by template_id desc limit ${limit} offset ${(page - 1) * limit}) t,
      lateral (
        select coalesce(sum(count), 0)::int as field_count, coalesce(array_agg(role order by first), '{}') as roles
        from (select role, count(*), min(position) as first from template_fields f
              where f.org_id = t.org_id and f.template_id = t.template_id group by role) by_role
      ) f
    order by t.template_id desc`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from templates t where ${wanted}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}

/** What people see of the organization in envelopes from its templates. */
export async function findSender(read: Read, org: OrgId): Promise<Pick<SentEnvelope, "sender" | "branding" | "default_locale">> {
  const { rows } = await read.query<Awaited<ReturnType<typeof findSender>>>(sql`
    select o.name as sender, s.branding, s.default_locale from orgs o join org_settings s using (org_id) where o.org_id = ${org}`);
  const sender = rows[0];
  if (sender === undefined) throw new Error("an organization without settings");
  return sender;
}
