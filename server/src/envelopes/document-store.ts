import type { Area, FileMarks } from "@countersign/pdf/pool";
import { named, type Read, type Sql, sql, type Tx } from "../db/sql.ts";
import type { Renumbered } from "../documents/document-list.ts";
import type { Pages } from "../documents/pages.ts";
import type { Actor } from "../shared/caller.ts";
import { type DocumentId, type EnvelopeId, type IssuedCopyId, newId, type OrgId, type TemplateId } from "../shared/ids.ts";
import type { Field, SentField } from "../signing/field.ts";
import type { SentDocument } from "../signing/submission.ts";
import type { BlobName } from "../storage/blob-store.ts";
import type { Prefilled } from "./prefilled.ts";

/** The SQL of an envelope's document: the PDF, its versions and its fields. */

export interface EnvelopeDocument {
  readonly document_id: DocumentId;
  /** from 1; 0 is all documents of a sent envelope, combined */
  readonly document_no: number;
  /** where it begins in what was sent; null before */
  readonly first_page: number | null;
  /** made for signers without a field of their own */
  readonly is_signature_page: boolean;
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
export type NewDocument = Omit<EnvelopeDocument, "first_page" | "is_signature_page"> &
  Partial<Pick<EnvelopeDocument, "first_page" | "is_signature_page">> & { readonly received_marks?: FileMarks };

export async function insertDocument(tx: Tx, org: OrgId, envelope_id: EnvelopeId, document: NewDocument): Promise<void> {
  const { document_id, document_no, first_page = null, is_signature_page = false } = document;
  const { name, path, content_type, hash, size, pdf_sha256, pages, roles, byte_for_byte, received_marks } = document;
  await tx.query(sql`
    insert into documents (org_id, envelope_id, document_id, document_no, first_page, is_signature_page, name, path, content_type, hash, size,
      pdf_sha256, pages, roles, byte_for_byte, received_marks)
    values (${org}, ${envelope_id}, ${document_id}, ${document_no}, ${first_page}, ${is_signature_page}, ${name}, ${path}, ${content_type},
      ${hash}, ${size}, ${pdf_sha256}, ${JSON.stringify(pages)}, ${roles}, ${byte_for_byte},
      ${received_marks === undefined ? null : JSON.stringify(received_marks)})`);
}

/** What everyone signs, or has signed. Of a draft with several documents, the first: they are combined when it is sent. */
export async function lookUpDocument(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<EnvelopeDocument | null> {
  const { rows } = await read.query<EnvelopeDocument>(named("look-up-document")`
    select document_id, document_no, first_page, is_signature_page, name, path, content_type, hash, size, pdf_sha256, pages, roles, byte_for_byte
    from documents where org_id = ${org} and envelope_id = ${envelope_id} order by document_no limit 1`);
  return rows[0] ?? null;
}

export type ListedDocument = EnvelopeDocument & { readonly pdf_size: number };

/** Each document, in order, with the signature page that was made for a sent envelope with several documents. */
export async function listDocuments(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<ListedDocument[]> {
  const { rows } = await read.query<ListedDocument>(named("list-documents")`
    select d.document_id, d.document_no, d.first_page, d.is_signature_page, d.name, d.path, d.content_type, d.hash, d.size, d.pdf_sha256, d.pages,
      d.roles, d.byte_for_byte, b.size::int as pdf_size
    from documents d join blobs b on b.org_id = d.org_id and b.sha256 = d.pdf_sha256
    where d.org_id = ${org} and d.envelope_id = ${envelope_id} and d.document_no > 0 order by d.document_no`);
  return rows;
}

/** A document whose file is replaced, and its versions. */
export async function replaceDocument(tx: Tx, org: OrgId, envelope_id: EnvelopeId, document: NewDocument): Promise<void> {
  const { document_no, content_type, hash, size, pdf_sha256, pages, roles, byte_for_byte, received_marks } = document;
  await tx.query(sql`
    update documents set content_type = ${content_type}, hash = ${hash}, size = ${size}, pdf_sha256 = ${pdf_sha256},
      pages = ${JSON.stringify(pages)}, roles = ${roles}, byte_for_byte = ${byte_for_byte},
      received_marks = ${received_marks === undefined ? null : JSON.stringify(received_marks)}
    where org_id = ${org} and envelope_id = ${envelope_id} and document_no = ${document_no}`);
  await deleteVersions(tx, org, envelope_id, document_no);
}

export async function nameDocument(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { document_id, name, path }: Pick<EnvelopeDocument, "document_id" | "name" | "path">,
): Promise<void> {
  await tx.query(sql`
    update documents set name = ${name}, path = ${path}
    where org_id = ${org} and envelope_id = ${envelope_id} and document_id = ${document_id}`);
}

/** Removes a document with its versions and fields. */
export async function deleteDocument(tx: Tx, org: OrgId, envelope_id: EnvelopeId, document_no: number): Promise<void> {
  const its = sql`org_id = ${org} and envelope_id = ${envelope_id} and document_no = ${document_no}`;
  await tx.query(sql`delete from envelope_fields where ${its}`);
  await deleteVersions(tx, org, envelope_id, document_no);
  await tx.query(sql`delete from documents where ${its}`);
}

async function deleteVersions(tx: Tx, org: OrgId, envelope_id: EnvelopeId, document_no: number): Promise<void> {
  await tx.query(sql`
    delete from document_versions
    where org_id = ${org} and envelope_id = ${envelope_id} and document_no = ${document_no} and kind in ('received', 'stored')`);
}

// Beyond any number of a document. Versions get their new numbers in two steps, because a number must be free before it is given.
const ASIDE = 1_000;

/** Gives documents other numbers, with their versions and fields. */
export async function renumberDocuments(tx: Tx, org: OrgId, envelope_id: EnvelopeId, changes: readonly Renumbered[]): Promise<void> {
  if (changes.length === 0) return;
  const given = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as g ("from" int, "to" int)`;
  const its = sql`t.org_id = ${org} and t.envelope_id = ${envelope_id} and t.document_no = g.from`;
  await tx.query(sql`update documents t set document_no = g.to from ${given} where ${its}`);
  await tx.query(sql`update envelope_fields t set document_no = g.to from ${given} where ${its}`);
  await tx.query(sql`update document_versions t set document_no = g.to + ${ASIDE} from ${given} where ${its}`);
  await tx.query(sql`
    update document_versions set document_no = document_no - ${ASIDE}
    where org_id = ${org} and envelope_id = ${envelope_id} and document_no > ${ASIDE}`);
}

/** Replaces the fields of one document, in their order. The fields of the others stay where they are in the list. */
export async function deleteFieldsOf(tx: Tx, org: OrgId, envelope_id: EnvelopeId, document_no: number): Promise<void> {
  await tx.query(sql`
    delete from envelope_fields where org_id = ${org} and envelope_id = ${envelope_id} and document_no = ${document_no}`);
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
  readonly documents: SentDocument["documents"];
  readonly fields: readonly SentField[];
  readonly head: SentDocument["head"];
}

/** In one statement, because every step of a ceremony reads it at least once, and because document and head must be of the same moment. */
export async function lookUpSentDocument(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentDocumentRow | null> {
  const { rows } = await read.query<SentDocumentRow & { readonly fields: readonly FieldRow[] }>(named("look-up-sent-document")`
    select d.pdf_sha256, d.pages, e.auto_vault_enabled, e.kba_required, e.status in ('completed', 'vaulted') as is_completed,
      (select v.sha256 from document_versions v
       where v.org_id = d.org_id and v.envelope_id = d.envelope_id and v.document_no = 0 and v.kind = 'stamped') as stamped_sha256,
      (select v.sha256 from document_versions v
       where v.org_id = d.org_id and v.envelope_id = d.envelope_id and v.document_no = 0 and v.kind = 'signed') as signed_sha256,
      case when d.document_no > 0 then '[]'::jsonb else (
        select jsonb_agg(jsonb_build_object('document_id', p.document_id, 'document_no', p.document_no, 'name', p.name, 'sha256', p.pdf_sha256,
          'first_page', p.first_page, 'pages', jsonb_array_length(p.pages), 'is_signature_page', p.is_signature_page,
          'part_sha256', (select v.sha256 from document_versions v where v.org_id = p.org_id and v.envelope_id = p.envelope_id
            and v.document_no = p.document_no and v.kind = 'part')) order by p.document_no)
        from documents p where p.org_id = d.org_id and p.envelope_id = d.envelope_id and p.document_no > 0) end as documents,
      (select coalesce(json_agg(f order by position), '[]') from (${sentFields(org, envelope_id)}) f) as fields,
      (select jsonb_build_object('seq', h.seq, 'hash', h.hash, 'at', h.at) from audit_heads h
       where h.org_id = d.org_id and h.subject = d.envelope_id and h.seq > 0) as head
    from documents d join envelopes e using (org_id, envelope_id)
    where d.org_id = ${org} and d.envelope_id = ${envelope_id} order by d.document_no limit 1`);
  const row = rows[0];
  if (row === undefined) return null;
  const head = row.head === null ? null : { ...row.head, at: new Date(row.head.at).toISOString() };
  return { ...row, fields: row.fields.map(fieldIn), head };
}

/** A document of a template, and what it is called in the envelope. */
export interface CopiedDocument {
  /** its number in the template */
  readonly from_no: number;
  readonly document_id: DocumentId;
  readonly document_no: number;
  readonly name: string;
  readonly path: string;
}

interface CopiedTemplate {
  readonly template_id: TemplateId;
  readonly documents: readonly CopiedDocument[];
}

/** Copies the documents of a template to the envelope: the same bytes. */
export async function copyTemplateDocuments(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { template_id, documents }: CopiedTemplate,
): Promise<void> {
  await tx.query(named("copy-template-documents")`
    with given as (
      select g.from_no, g.document_id, g.document_no, g.name, g.path, t.pdf_sha256, t.pages, b.size
      from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb)
          as g (from_no int, document_id text, document_no int, name text, path text)
        join template_documents t on t.org_id = ${org} and t.template_id = ${template_id} and t.document_no = g.from_no
        join blobs b on b.org_id = t.org_id and b.sha256 = t.pdf_sha256
    ), document as (
      insert into documents (org_id, envelope_id, document_id, document_no, name, path, content_type, hash, size, pdf_sha256, pages, roles)
      select ${org}, ${envelope_id}, document_id, document_no, name, path, 'application/pdf', pdf_sha256, size, pdf_sha256, pages,
        coalesce((select array_agg(role order by first) from (select role, min(position) as first from template_fields f
          where f.org_id = ${org} and f.template_id = ${template_id} and f.document_no = from_no and role <> '' group by role) by_role), '{}')
      from given
    )
    insert into document_versions (org_id, envelope_id, document_no, kind, sha256, parent_sha256, size)
    select ${org}, ${envelope_id}, document_no, 'stored', pdf_sha256, null, size from given`);
}

/** Copies all documents and fields of a template to an envelope that has none. */
export async function copyTemplate(tx: Tx, org: OrgId, envelope_id: EnvelopeId, copied: CopiedTemplate): Promise<void> {
  await copyTemplateDocuments(tx, org, envelope_id, copied);
  const { template_id } = copied;
  await tx.query(named("copy-template-fields")`
    insert into envelope_fields (org_id, envelope_id, position, name, type, role, required, readonly, default_value, options, areas,
      anchor_match, field_key, document_no, settings, show_if, require_if, formula)
    select ${org}, ${envelope_id}, position, name, type, role, required, readonly, default_value, options, areas, anchor_match,
      field_key, document_no, settings, show_if, require_if, formula
    from template_fields where org_id = ${org} and template_id = ${template_id}`);
}

/** Without the signature page that sending made. */
export async function countDocuments(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<number> {
  const { rows } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from documents d where ${isOwn(org, envelope_id)}`);
  return rows[0]?.n ?? 0;
}

/** What the sender put into the envelope: not the combined document, and not the signature page. */
const isOwn = (org: OrgId, envelope_id: EnvelopeId): Sql =>
  sql`d.org_id = ${org} and d.envelope_id = ${envelope_id} and d.document_no > 0 and not d.is_signature_page`;

/** A document as it was uploaded: the stored version, without the signature pages that sending added. */
export interface UploadedAgain {
  readonly document_no: number;
  readonly name: string;
  readonly sha256: string;
  readonly pages: Pages;
  /** a signed upload, which must be cleaned before anything is made of it */
  readonly byte_for_byte: boolean;
}

const uploadedAgain = (org: OrgId, envelope_id: EnvelopeId): Sql => sql`
  select d.document_no, d.name, d.path, d.content_type, d.hash, d.size, d.roles, v.sha256, v.size as stored_size,
    (select jsonb_agg(page order by n) from jsonb_array_elements(d.pages) with ordinality as p (page, n)
      where n <= jsonb_array_length(d.pages) - d.added_pages) as pages,
    exists (select from document_versions r where r.org_id = v.org_id and r.envelope_id = v.envelope_id and r.document_no = v.document_no
      and r.kind = 'received' and r.sha256 = v.sha256) as byte_for_byte
  from documents d
    join document_versions v on v.org_id = d.org_id and v.envelope_id = d.envelope_id and v.document_no = d.document_no and v.kind = 'stored'
    join blobs b on b.org_id = v.org_id and b.sha256 = v.sha256 and b.destroyed_at is null
  where ${isOwn(org, envelope_id)}`;

/**
 * Copies the documents of an envelope to another as they were uploaded. The files stay where they are. Returns how many it copied; a
 * document whose file was destroyed is not.
 */
export async function copyDocuments(tx: Tx, org: OrgId, from: EnvelopeId, to: EnvelopeId): Promise<number> {
  const ids = Array.from({ length: await countDocuments(tx, org, from) }, () => newId("document", tx.now.getTime()));
  const { rowCount } = await tx.query(sql`
    with source as (${uploadedAgain(org, from)}), version as (
      insert into document_versions (org_id, envelope_id, document_no, kind, sha256, parent_sha256, size)
      select ${org}, ${to}, document_no, 'stored', sha256, null, stored_size from source
    )
    insert into documents (org_id, envelope_id, document_id, document_no, name, path, content_type, hash, size, pdf_sha256, pages, roles,
      byte_for_byte)
    select ${org}, ${to}, (${ids}::text[])[document_no], document_no, name, replace(path, ${from}, ${to}), content_type, hash, size, sha256,
      pages, roles, byte_for_byte
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
    select from documents d where d.org_id = f.org_id and d.envelope_id = f.envelope_id and d.document_no = f.document_no
      and (d.is_signature_page or d.added_pages > 0 and exists (
        select from jsonb_array_elements(f.areas) area where (area ->> 'page')::int > jsonb_array_length(d.pages) - d.added_pages)))`;

/** The documents as they were uploaded, for a template. A document whose file was destroyed is missing. */
export async function listUploaded(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<UploadedAgain[]> {
  const { rows } = await read.query<UploadedAgain>(sql`
    select document_no, name, sha256, pages, byte_for_byte from (${uploadedAgain(org, envelope_id)}) uploaded order by document_no`);
  return rows;
}

/** Their fields, without what the sender filled in. */
export async function listUploadedFields(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<EnvelopeField[]> {
  const { rows } = await read.query<EnvelopeField>(sql`
    select name, type, role, required, readonly, default_value, options, settings, field_key, areas, anchor_match, document_no,
      null as prefilled
    from envelope_fields f where ${isUploaded(org, envelope_id)} order by position`);
  return rows;
}

/** The received file, and the version made from it that is shown and signed. */
export async function insertReceived(
  tx: Tx,
  org: OrgId,
  id: EnvelopeId,
  document_no: number,
  { received, pdf }: { readonly received: BlobName; readonly pdf: BlobName },
): Promise<void> {
  await tx.query(sql`
    insert into document_versions (org_id, envelope_id, document_no, kind, sha256, parent_sha256, size) values
      (${org}, ${id}, ${document_no}, 'received', ${received.sha256}, null, ${received.size}),
      (${org}, ${id}, ${document_no}, 'stored', ${pdf.sha256}, ${received.sha256}, ${pdf.size})`);
}

/** All documents combined, which is where the line of descent of several documents begins. */
export async function insertCombined(tx: Tx, org: OrgId, id: EnvelopeId, pdf: BlobName): Promise<void> {
  await tx.query(sql`
    insert into document_versions (org_id, envelope_id, document_no, kind, sha256, parent_sha256, size)
    values (${org}, ${id}, 0, 'stored', ${pdf.sha256}, null, ${pdf.size})`);
}

/** Where each document begins in what is sent, and its PDF if it had to be cleaned. */
export async function freezeDocuments(tx: Tx, org: OrgId, id: EnvelopeId, frozen: readonly FrozenDocument[]): Promise<void> {
  await tx.query(named("freeze-documents")`
    update documents d set first_page = f.first_page, pdf_sha256 = f.pdf_sha256, pages = f.pages, byte_for_byte = false,
      added_pages = coalesce(f.added_pages, 0)
    from jsonb_to_recordset(${JSON.stringify(frozen)}::jsonb)
      as f (document_no int, first_page int, pdf_sha256 text, pages jsonb, added_pages int)
    where d.org_id = ${org} and d.envelope_id = ${id} and d.document_no = f.document_no`);
}

export type FrozenDocument = Pick<EnvelopeDocument, "document_no" | "pdf_sha256" | "pages"> & {
  readonly first_page: number;
  /** how many of the pages are signature pages at the end, which the upload did not have */
  readonly added_pages?: number;
};

/** The version that the signers will see, frozen when the envelope is sent: of the whole, or of one document in it. */
export async function insertPrepared(
  tx: Tx,
  org: OrgId,
  id: EnvelopeId,
  pdf: BlobName,
  parent_sha256: string | null,
  document_no = 0,
): Promise<void> {
  await tx.query(named("insert-prepared")`
    insert into document_versions (org_id, envelope_id, document_no, kind, sha256, parent_sha256, size)
    values (${org}, ${id}, ${document_no}, 'prepared', ${pdf.sha256}, ${parent_sha256}, ${pdf.size})`);
}

/** `role` null: the first signer. `prefilled`: what the sender filled in. */
export type EnvelopeField = Omit<Field, "role"> & { readonly role: string | null; readonly prefilled: string | null };

/** The fields whose role is known. */
export const withRoles = (fields: readonly EnvelopeField[]): (EnvelopeField & Field)[] =>
  fields.filter((field): field is EnvelopeField & Field => field.role !== null);

export async function findFields(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<EnvelopeField[]> {
  const { rows } = await read.query<EnvelopeField>(named("find-fields")`
    select name, type, role, required, readonly, default_value, options, settings, field_key, areas, anchor_match, prefilled,
      document_no
    from envelope_fields
    where org_id = ${org} and envelope_id = ${envelope_id} order by position`);
  return rows;
}

type FieldRow = SentField & { readonly first_page: number | null };

const sentFields = (org: OrgId, envelope_id: EnvelopeId) => sql`
  select f.position, f.name, f.type, f.role, f.required, f.readonly, f.default_value, f.options, f.settings, f.field_key, f.areas, f.anchor_match,
    f.prefilled, f.document_no, f.show_if, f.require_if, f.formula, d.first_page
  from envelope_fields f left join documents d using (org_id, envelope_id, document_no)
  where f.org_id = ${org} and f.envelope_id = ${envelope_id}`;

const fieldIn = ({ first_page, ...field }: FieldRow): SentField => asSent(field, first_page);

/** The fields of a sent document, each with its role. */
export async function findSentFields(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SentField[]> {
  const { rows } = await read.query<FieldRow>(named("find-sent-fields")`${sentFields(org, envelope_id)} order by f.position`);
  return rows.map(fieldIn);
}

/** A field with its pages counted through all documents. A row that was changed directly in the database may contain anything. */
export function asSent<F extends { readonly areas: unknown }>(field: F, first_page: number | null): F {
  if (first_page === null || first_page === 1 || !Array.isArray(field.areas)) return field;
  const areas = field.areas.map((area: Area) => (Number.isSafeInteger(area?.page) ? { ...area, page: area.page + first_page - 1 } : area));
  return { ...field, areas };
}

export interface Version {
  readonly sha256: string;
  readonly size: number;
}

type VersionKind = "received" | "stored" | "prepared" | "stamped" | "signed" | "authoritative" | "part";

/** What was received and stored has the number of its document; everything later is about the whole envelope, apart from parts. */
const numberOf = (kind: VersionKind): number => (kind === "received" || kind === "stored" ? 1 : 0);

export async function lookUpVersion(read: Read, org: OrgId, envelope_id: EnvelopeId, kind: VersionKind): Promise<Version | null> {
  const { rows } = await read.query<Version>(named("look-up-version")`
    select sha256, size from document_versions
    where org_id = ${org} and envelope_id = ${envelope_id} and document_no = ${numberOf(kind)} and kind = ${kind}`);
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
  document_no = numberOf(kind),
): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    insert into document_versions (org_id, envelope_id, document_no, kind, sha256, parent_sha256, size)
    values (${org}, ${envelope_id}, ${document_no}, ${kind}, ${sha256}, ${parent_sha256}, ${size}) on conflict do nothing`);
  return rowCount === 1;
}

/** Appends the fields to the existing ones, in one statement for any number of fields. */
export async function insertFields(tx: Tx, org: OrgId, id: EnvelopeId, fields: readonly EnvelopeField[]): Promise<void> {
  if (fields.length === 0) return;
  await tx.query({
    name: "insert-envelope-fields",
    text: `
      insert into envelope_fields (org_id, envelope_id, position, name, type, role, required, readonly, default_value, options, areas, anchor_match, prefilled,
        settings, field_key, document_no)
      select $1, $2, f.position + (select coalesce(max(position) + 1, 0) from envelope_fields where org_id = $1 and envelope_id = $2),
        f.name, f.type, f.role, f.required, f.readonly, f.default_value, f.options, f.areas, f.anchor_match, f.prefilled,
        f.settings, f.field_key, f.document_no
      from jsonb_to_recordset($3) as f (position int, name text, type text, role text, required boolean, readonly boolean, default_value text,
        options text[], areas jsonb, anchor_match jsonb, prefilled text, settings jsonb, field_key text, document_no int)`,
    values: [org, id, JSON.stringify(fields.map((field, position) => ({ ...field, position })))],
  });
}

export async function deleteFields(tx: Tx, org: OrgId, id: EnvelopeId): Promise<void> {
  await tx.query(sql`delete from envelope_fields where org_id = ${org} and envelope_id = ${id}`);
}

/** Fields without a role are for the first signer, who is known once the envelope is sent. */
export async function giveRole(tx: Tx, org: OrgId, id: EnvelopeId, role: string): Promise<void> {
  await tx.query(
    named("give-role")`update envelope_fields set role = ${role} where org_id = ${org} and envelope_id = ${id} and role is null`,
  );
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
  /** of one document of several; null: of the whole envelope */
  readonly document_no: number | null;
}

export async function insertIssue(tx: Tx, org: OrgId, issue: NewIssue): Promise<void> {
  const { issued_copy_id, envelope_id, kind, sha256, pages, marked_pages, actor, document_no } = issue;
  await tx.query(sql`
    insert into copy_issues (org_id, copy_id, envelope_id, kind, sha256, pages, marked_pages, actor, document_no)
    values (${org}, ${issued_copy_id}, ${envelope_id}, ${kind}, ${sha256}, ${pages}, ${marked_pages}, ${JSON.stringify(actor)}, ${document_no})`);
}
