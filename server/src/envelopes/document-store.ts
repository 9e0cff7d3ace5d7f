import type { FileMarks } from "@countersign/pdf/pool";
import { named, type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import type { Pages } from "../documents/pages.ts";
import type { Actor } from "../shared/caller.ts";
import type { EnvelopeId, IssuedCopyId, OrgId, TemplateId } from "../shared/ids.ts";
import type { Field, SentField } from "../signing/field.ts";
import type { BlobName } from "../storage/blob-store.ts";
import type { Prefilled } from "./prefilled.ts";

/** The SQL of an envelope's document: the PDF, its versions and its fields. */

export interface EnvelopeDocument {
  readonly name: string;
  readonly path: string;
  readonly content_type: "application/pdf" | "image/png" | "image/jpeg";
  /** of the file that is kept for the owner */
  readonly hash: string;
  readonly size: number;
  /** of the PDF that is shown and signed */
  readonly pdf_sha256: string;
  readonly pages: Pages;
  /** the roles that the tags of the document name */
  readonly roles: readonly string[];
  /** a signed upload that is stored unchanged */
  readonly byte_for_byte: boolean;
}

/** A document with what its file is recognized by, as it came. */
export interface NewDocument extends EnvelopeDocument {
  readonly received_marks?: FileMarks;
}

export async function insertDocument(tx: Tx, org: OrgId, envelope_id: EnvelopeId, document: NewDocument): Promise<void> {
  const { name, path, content_type, hash, size, pdf_sha256, pages, roles, byte_for_byte, received_marks } = document;
  await tx.query(sql`
    insert into documents (org_id, envelope_id, name, path, content_type, hash, size, pdf_sha256, pages, roles, byte_for_byte,
      received_marks)
    values (${org}, ${envelope_id}, ${name}, ${path}, ${content_type}, ${hash}, ${size}, ${pdf_sha256}, ${JSON.stringify(pages)}, ${roles},
      ${byte_for_byte}, ${received_marks === undefined ? null : JSON.stringify(received_marks)})`);
}

export async function lookUpDocument(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<EnvelopeDocument | null> {
  const { rows } = await read.query<EnvelopeDocument>(named("look-up-document")`
    select name, path, content_type, hash, size, pdf_sha256, pages, roles, byte_for_byte from documents
    where org_id = ${org} and envelope_id = ${envelope_id}`);
  return rows[0] ?? null;
}

/** The document of a sent envelope, and how far it is. */
export interface SentDocumentRow {
  readonly pdf_sha256: string;
  readonly pages: Pages;
  readonly auto_vault_enabled: boolean;
  readonly kba_required: boolean;
  readonly is_completed: boolean;
  readonly stamped_sha256: string | null;
  readonly signed_sha256: string | null;
}

/** In one statement, because every step of a ceremony reads it at least once. */
export async function lookUpSentDocument(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentDocumentRow | null> {
  const { rows } = await read.query<SentDocumentRow>(named("look-up-sent-document")`
    select d.pdf_sha256, d.pages, e.auto_vault_enabled, e.kba_required, e.status in ('completed', 'vaulted') as is_completed,
      (select v.sha256 from document_versions v
       where v.org_id = d.org_id and v.envelope_id = d.envelope_id and v.kind = 'stamped') as stamped_sha256,
      (select v.sha256 from document_versions v
       where v.org_id = d.org_id and v.envelope_id = d.envelope_id and v.kind = 'signed') as signed_sha256
    from documents d join envelopes e using (org_id, envelope_id)
    where d.org_id = ${org} and d.envelope_id = ${envelope_id}`);
  return rows[0] ?? null;
}

/** Copies the document of a template to the envelope: the same bytes and the same fields. */
export async function copyTemplate(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { template_id, name, path }: { template_id: TemplateId; name: string; path: string },
): Promise<void> {
  await tx.query(sql`
    with template as (
      select t.document_sha256, t.pages, b.size from templates t join blobs b on b.org_id = t.org_id and b.sha256 = t.document_sha256
      where t.org_id = ${org} and t.template_id = ${template_id}
    ), document as (
      insert into documents (org_id, envelope_id, name, path, content_type, hash, size, pdf_sha256, pages, roles)
      select ${org}, ${envelope_id}, ${name}, ${path}, 'application/pdf', document_sha256, size, document_sha256, pages,
        coalesce((select array_agg(role order by first) from (select role, min(position) as first from template_fields
          where org_id = ${org} and template_id = ${template_id} and role <> '' group by role) by_role), '{}')
      from template
    ), version as (
      insert into document_versions (org_id, envelope_id, kind, sha256, parent_sha256, size)
      select ${org}, ${envelope_id}, 'stored', document_sha256, null, size from template
    )
    insert into envelope_fields (org_id, envelope_id, position, name, type, role, required, readonly, default_value, options, areas,
      anchor_match, field_key, document_no, settings, show_if, require_if, formula)
    select ${org}, ${envelope_id}, position, name, type, role, required, readonly, default_value, options, areas, anchor_match,
      field_key, document_no, settings, show_if, require_if, formula
    from template_fields where org_id = ${org} and template_id = ${template_id}`);
}

export async function countDocuments(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<number> {
  const { rows } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from documents where org_id = ${org} and envelope_id = ${envelope_id}`);
  return rows[0]?.n ?? 0;
}

/**
 * Copies the documents of an envelope to another as they were uploaded: the stored version, without the signature pages that sending added.
 * The files stay where they are. Returns how many it copied; a document whose file was destroyed is not.
 */
export async function copyDocuments(tx: Tx, org: OrgId, from: EnvelopeId, to: EnvelopeId): Promise<number> {
  const { rowCount } = await tx.query(sql`
    with source as (
      select d.*, v.sha256 as stored_sha256, v.size as stored_size,
        exists (select from document_versions r where r.org_id = v.org_id and r.envelope_id = v.envelope_id and r.kind = 'received'
          and r.sha256 = v.sha256) as is_as_received
      from documents d join document_versions v on v.org_id = d.org_id and v.envelope_id = d.envelope_id and v.kind = 'stored'
        join blobs b on b.org_id = v.org_id and b.sha256 = v.sha256 and b.destroyed_at is null
      where d.org_id = ${org} and d.envelope_id = ${from}
    ), version as (
      insert into document_versions (org_id, envelope_id, kind, sha256, parent_sha256, size)
      select ${org}, ${to}, 'stored', stored_sha256, null, stored_size from source
    )
    insert into documents (org_id, envelope_id, name, path, content_type, hash, size, pdf_sha256, pages, roles, byte_for_byte)
    select ${org}, ${to}, name, replace(path, ${from}, ${to}), content_type, hash, size, stored_sha256,
      (select jsonb_agg(page order by n) from jsonb_array_elements(pages) with ordinality as p (page, n)
        where n <= jsonb_array_length(pages) - added_pages),
      roles, is_as_received
    from source`);
  return rowCount;
}

/** Copies fields without what the sender filled in, and without those on signature pages that sending added. */
export async function copyFields(tx: Tx, org: OrgId, from: EnvelopeId, to: EnvelopeId): Promise<void> {
  await tx.query(sql`
    insert into envelope_fields (org_id, envelope_id, position, name, type, role, required, readonly, default_value, options, areas,
      anchor_match, field_key, document_no, settings, show_if, require_if, formula)
    select ${org}, ${to}, position, name, type, role, required, readonly, default_value, options, areas, anchor_match, field_key,
      document_no, settings, show_if, require_if, formula
    from envelope_fields f where ${isUploaded(org, from)}`);
}

const isUploaded = (org: OrgId, envelope_id: EnvelopeId): Sql => sql`f.org_id = ${org} and f.envelope_id = ${envelope_id} and not exists (
    select from documents d, jsonb_array_elements(f.areas) area where d.org_id = f.org_id and d.envelope_id = f.envelope_id
      and d.added_pages > 0 and (area ->> 'page')::int > jsonb_array_length(d.pages) - d.added_pages)`;

/** The document as it was uploaded and its fields, for a template; null if there is none, or if its file was destroyed. */
export interface UploadedAgain {
  readonly sha256: string;
  readonly pages: Pages;
  /** a signed upload, which must be cleaned before anything is made of it */
  readonly byte_for_byte: boolean;
  readonly fields: readonly EnvelopeField[];
}

export async function lookUpUploaded(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<UploadedAgain | null> {
  const { rows } = await read.query<Omit<UploadedAgain, "fields">>(sql`
    select v.sha256, (select jsonb_agg(page order by n) from jsonb_array_elements(d.pages) with ordinality as p (page, n)
        where n <= jsonb_array_length(d.pages) - d.added_pages) as pages,
      exists (select from document_versions r where r.org_id = v.org_id and r.envelope_id = v.envelope_id and r.kind = 'received'
        and r.sha256 = v.sha256) as byte_for_byte
    from documents d join document_versions v on v.org_id = d.org_id and v.envelope_id = d.envelope_id and v.kind = 'stored'
      join blobs b on b.org_id = v.org_id and b.sha256 = v.sha256 and b.destroyed_at is null
    where d.org_id = ${org} and d.envelope_id = ${envelope_id}`);
  if (rows[0] === undefined) return null;
  const { rows: fields } = await read.query<EnvelopeField>(sql`
    select name, type, role, required, readonly, default_value, options, settings, field_key, areas, anchor_match, null as prefilled
    from envelope_fields f where ${isUploaded(org, envelope_id)} order by position`);
  return { ...rows[0], fields };
}

/** The received file, and the version made from it that is shown and signed. */
export async function insertReceived(tx: Tx, org: OrgId, id: EnvelopeId, received: BlobName, pdf: BlobName): Promise<void> {
  await tx.query(sql`
    insert into document_versions (org_id, envelope_id, kind, sha256, parent_sha256, size) values
      (${org}, ${id}, 'received', ${received.sha256}, null, ${received.size}),
      (${org}, ${id}, 'stored', ${pdf.sha256}, ${received.sha256}, ${pdf.size})`);
}

/** The version that the signers will see, frozen when the envelope is sent. */
export async function insertPrepared(tx: Tx, org: OrgId, id: EnvelopeId, pdf: BlobName, parent_sha256: string): Promise<void> {
  await tx.query(sql`
    insert into document_versions (org_id, envelope_id, kind, sha256, parent_sha256, size)
    values (${org}, ${id}, 'prepared', ${pdf.sha256}, ${parent_sha256}, ${pdf.size})`);
}

/** `added`: how many of the pages are signature pages at the end, which the upload did not have. */
export async function replacePdf(tx: Tx, org: OrgId, id: EnvelopeId, pdf_sha256: string, pages: Pages, added: number): Promise<void> {
  await tx.query(sql`
    update documents set pdf_sha256 = ${pdf_sha256}, pages = ${JSON.stringify(pages)}, byte_for_byte = false, added_pages = ${added}
    where org_id = ${org} and envelope_id = ${id}`);
}

/** `role` null: the first signer. `prefilled`: what the sender filled in. */
export type EnvelopeField = Omit<Field, "role"> & { readonly role: string | null; readonly prefilled: string | null };

/** The fields whose role is known. */
export const withRoles = (fields: readonly EnvelopeField[]): (EnvelopeField & Field)[] =>
  fields.filter((field): field is EnvelopeField & Field => field.role !== null);

export async function findFields(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<EnvelopeField[]> {
  const { rows } = await read.query<EnvelopeField>(named("find-fields")`
    select name, type, role, required, readonly, default_value, options, settings, field_key, areas, anchor_match, prefilled
    from envelope_fields
    where org_id = ${org} and envelope_id = ${envelope_id} order by position`);
  return rows;
}

/** The fields of a sent document, each with its role. */
export async function findSentFields(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentField[]> {
  const { rows } = await read.query<SentField>(named("find-sent-fields")`
    select position, name, type, role, required, readonly, default_value, options, settings, field_key, areas, anchor_match, prefilled,
      document_no, show_if, require_if, formula
    from envelope_fields
    where org_id = ${org} and envelope_id = ${envelope_id} order by position`);
  return rows;
}

export interface Version {
  readonly sha256: string;
  readonly size: number;
}

type VersionKind = "received" | "stored" | "prepared" | "stamped" | "signed" | "authoritative";

export async function lookUpVersion(read: Read, org: OrgId, envelope_id: EnvelopeId, kind: VersionKind): Promise<Version | null> {
  const { rows } = await read.query<Version>(named("look-up-version")`
    select sha256, size from document_versions where org_id = ${org} and envelope_id = ${envelope_id} and kind = ${kind}`);
  return rows[0] ?? null;
}

/** Returns whether it is the first of its kind. A version that was made twice is stored once. */
export async function insertVersion(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  kind: VersionKind,
  { sha256, size }: Version,
  parent_sha256: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into document_versions (org_id, envelope_id, kind, sha256, parent_sha256, size)
    values (${org}, ${envelope_id}, ${kind}, ${sha256}, ${parent_sha256}, ${size}) on conflict do nothing`);
  return rowCount === 1;
}

/** Appends the fields to the existing ones, in one statement for any number of fields. */
export async function insertFields(tx: Tx, org: OrgId, id: EnvelopeId, fields: readonly EnvelopeField[]): Promise<void> {
  if (fields.length === 0) return;
  await tx.query({
    name: "insert-envelope-fields",
    text: `
      insert into envelope_fields (org_id, envelope_id, position, name, type, role, required, readonly, default_value, options, areas, anchor_match, prefilled,
        settings, field_key)
      select $1, $2, f.position + (select coalesce(max(position) + 1, 0) from envelope_fields where org_id = $1 and envelope_id = $2),
        f.name, f.type, f.role, f.required, f.readonly, f.default_value, f.options, f.areas, f.anchor_match, f.prefilled,
        f.settings, f.field_key
      from jsonb_to_recordset($3) as f (position int, name text, type text, role text, required boolean, readonly boolean, default_value text,
        options text[], areas jsonb, anchor_match jsonb, prefilled text, settings jsonb, field_key text)`,
    values: [org, id, JSON.stringify(fields.map((field, position) => ({ ...field, position })))],
  });
}

export async function deleteFields(tx: Tx, org: OrgId, id: EnvelopeId): Promise<void> {
  await tx.query(sql`delete from envelope_fields where org_id = ${org} and envelope_id = ${id}`);
}

/** Fields without a role are for the first signer, who is known once the envelope is sent. */
export async function giveRole(tx: Tx, org: OrgId, id: EnvelopeId, role: string): Promise<void> {
  await tx.query(sql`update envelope_fields set role = ${role} where org_id = ${org} and envelope_id = ${id} and role is null`);
}

/** Fills in fields by their place in the list, from 0. */
export async function prefill(tx: Tx, org: OrgId, id: EnvelopeId, values: readonly Prefilled[]): Promise<void> {
  if (values.length === 0) return;
  await tx.query(sql`
    update envelope_fields f set prefilled = v.value
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v (nth int, name text, value text),
      (select position, row_number() over (order by position) - 1 as nth from envelope_fields
        where org_id = ${org} and envelope_id = ${id}) listed
    where f.org_id = ${org} and f.envelope_id = ${id} and f.position = listed.position and listed.nth = v.nth and f.name = v.name`);
}

export async function pdfSize(read: Read, org: OrgId, sha256: string): Promise<number> {
  const { rows } = await read.query<{ size: number }>(sql`select size::int from blobs where org_id = ${org} and sha256 = ${sha256}`);
  return rows[0]?.size ?? 0;
}

export interface NewIssue {
  readonly issued_copy_id: IssuedCopyId;
  readonly envelope_id: EnvelopeId;
  readonly kind: "partial" | "copy" | "signed";
  readonly sha256: string;
  readonly pages: number;
  readonly marked_pages: number;
  readonly actor: Actor;
}

export async function insertIssue(tx: Tx, org: OrgId, issue: NewIssue): Promise<void> {
  const { issued_copy_id, envelope_id, kind, sha256, pages, marked_pages, actor } = issue;
  await tx.query(sql`
    insert into copy_issues (org_id, copy_id, envelope_id, kind, sha256, pages, marked_pages, actor)
    values (${org}, ${issued_copy_id}, ${envelope_id}, ${kind}, ${sha256}, ${pages}, ${marked_pages}, ${JSON.stringify(actor)})`);
}
