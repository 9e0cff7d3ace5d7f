import { named, type Read, sql, type Tx } from "../db/sql.ts";
import type { NumberedDocument, Renumbered } from "../documents/document-list.ts";
import type { OrgId, TemplateId } from "../shared/ids.ts";

/** The SQL of a template's documents. */

export type TemplateDocument = NumberedDocument & {
  /** null once the document was erased */
  readonly pdf_sha256: string | null;
};

export type NewTemplateDocument = Omit<TemplateDocument, "pdf_size">;

export async function insertDocument(tx: Tx, org: OrgId, template_id: TemplateId, document: NewTemplateDocument): Promise<void> {
  const { document_id, document_no, name, pdf_sha256, pages } = document;
  await tx.query(sql`
    insert into template_documents (org_id, template_id, document_id, document_no, name, pdf_sha256, pages)
    values (${org}, ${template_id}, ${document_id}, ${document_no}, ${name}, ${pdf_sha256}, ${JSON.stringify(pages)})`);
}

export async function listDocuments(read: Read, org: OrgId, template_id: TemplateId): Promise<TemplateDocument[]> {
  const { rows } = await read.query<TemplateDocument>(named("list-template-documents")`
    select d.document_id, d.document_no, d.name, d.pdf_sha256, d.pages, coalesce(b.size, 0)::int as pdf_size
    from template_documents d left join blobs b on b.org_id = d.org_id and b.sha256 = d.pdf_sha256
    where d.org_id = ${org} and d.template_id = ${template_id} order by d.document_no`);
  return rows;
}

export async function updateDocument(
  tx: Tx,
  org: OrgId,
  template_id: TemplateId,
  { document_id, name, pdf_sha256, pages }: Pick<TemplateDocument, "document_id" | "name" | "pdf_sha256" | "pages">,
): Promise<void> {
  await tx.query(sql`
    update template_documents set name = ${name}, pdf_sha256 = ${pdf_sha256}, pages = ${JSON.stringify(pages)}
    where org_id = ${org} and template_id = ${template_id} and document_id = ${document_id}`);
}

/** Removes a document with its fields. */
export async function deleteDocument(tx: Tx, org: OrgId, template_id: TemplateId, document_no: number): Promise<void> {
  await deleteFieldsOf(tx, org, template_id, document_no);
  await tx.query(sql`
    delete from template_documents where org_id = ${org} and template_id = ${template_id} and document_no = ${document_no}`);
}

export async function deleteFieldsOf(tx: Tx, org: OrgId, template_id: TemplateId, document_no: number): Promise<void> {
  await tx.query(sql`
    delete from template_fields where org_id = ${org} and template_id = ${template_id} and document_no = ${document_no}`);
}

/** Gives documents other numbers, with their fields. */
export async function renumberDocuments(tx: Tx, org: OrgId, template_id: TemplateId, changes: readonly Renumbered[]): Promise<void> {
  if (changes.length === 0) return;
  const given = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as g ("from" int, "to" int)`;
  const its = sql`t.org_id = ${org} and t.template_id = ${template_id} and t.document_no = g.from`;
  await tx.query(sql`update template_documents t set document_no = g.to from ${given} where ${its}`);
  await tx.query(sql`update template_fields t set document_no = g.to from ${given} where ${its}`);
}
