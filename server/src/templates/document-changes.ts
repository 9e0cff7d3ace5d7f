import { appendAudit } from "../audit/append-audit.ts";
import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import { findDocument, moveDocument, refuseTooLarge, renumber } from "../documents/document-list.ts";
import { stayOnPages } from "../documents/stay-on-pages.ts";
import { takeFile } from "../documents/take-file.ts";
import { type Warning, warningsOf } from "../documents/warnings.ts";
import type { ReceivedFile } from "../http/form.ts";
import type { Caller } from "../shared/caller.ts";
import { type DocumentId, newId, type OrgId, type TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Field } from "../signing/field.ts";
import type { BlobName } from "../storage/blob-store.ts";
import { keepBlob, releaseBlobs } from "../storage/store.ts";
import {
  deleteDocument,
  deleteFieldsOf,
  insertDocument,
  listDocuments,
  renumberDocuments,
  type TemplateDocument,
  updateDocument,
} from "./document-store.ts";
import { keyFields } from "./key-fields.ts";
import { asPlacementProblem } from "./placement-problems.ts";
import { fieldsOfTags, IN_FORM } from "./resolve-fields.ts";
import { findFields, findTemplate, insertFields, lockTemplate, nextPosition, touchTemplate } from "./store.ts";
import { MAX_FIELDS, type Template, type TemplateDeps } from "./template.ts";

/** Adding, changing, replacing and removing documents of a template. Envelopes that were created from it do not change. */

export interface ChangedDocuments {
  readonly documents: readonly TemplateDocument[];
  readonly warnings: readonly Warning[];
}

/** A file that was cleaned and stored, but not yet recorded. */
export interface TakenTemplateFile {
  readonly pdf: BlobName;
  readonly pages: TemplateDocument["pages"];
  readonly fields: readonly Field[];
  readonly warnings: readonly Warning[];
}

export type AddedToTemplate = { readonly file: ReceivedFile; readonly name: string | undefined } | { readonly template_id: TemplateId };
export type PreparedForTemplate = { readonly name: string; readonly taken: TakenTemplateFile } | { readonly template_id: TemplateId };

async function takeTemplateFile(deps: TemplateDeps, caller: Caller, file: ReceivedFile): Promise<TakenTemplateFile> {
  const refuse = asPlacementProblem([], IN_FORM);
  const { taken, judged, pdf } = await takeFile(deps, caller, file, { tags: "template" }, refuse, ({ fields }) => fieldsOfTags(fields));
  return { pdf, pages: taken.pages, fields: judged.fields, warnings: [...judged.warnings, ...warningsOf(taken)] };
}

async function prepareAdded(
  deps: TemplateDeps,
  caller: Caller,
  template_id: TemplateId,
  given: AddedToTemplate,
): Promise<PreparedForTemplate> {
  refuseUnusable(await deps.db.tx(caller.org, (tx) => findTemplate(tx, caller.org, template_id)));
  if ("template_id" in given) return given;
  return { name: given.name ?? given.file.name ?? "document.pdf", taken: await takeTemplateFile(deps, caller, given.file) };
}

function saveAdded(deps: TemplateDeps, caller: Caller, template_id: TemplateId, prepared: PreparedForTemplate): Promise<ChangedDocuments> {
  const { org } = caller;
  return changing(deps.db, caller, template_id, async (tx, documents) => {
    const present = await findFields(tx, org, template_id);
    const added = "template_id" in prepared ? await documentsOf(tx, org, prepared.template_id) : asDocuments(prepared.name, prepared.taken);
    refuseTooLarge([...documents, ...added.documents]);
    refuseTooManyFields(present.length + added.fields.length);
    for (const { name, pdf_sha256, pages, document_no } of added.documents) {
      if (!("template_id" in prepared) && pdf_sha256 !== null) await keepBlob(tx, org, pdf_sha256);
      const document_id = newId("document", tx.now.getTime());
      await insertDocument(tx, org, template_id, { document_id, document_no: documents.length + document_no, name, pdf_sha256, pages });
    }
    const taken = new Set(present.map(({ field_key }) => field_key));
    const fields = added.fields.map((field) => ({
      ...field,
      document_no: documents.length + field.document_no,
      field_key: taken.has(field.field_key) ? null : field.field_key,
    }));
    await insertFields(tx, org, template_id, keyFields(fields, present), await nextPosition(tx, org, template_id));
    return { how: "added", warnings: "template_id" in prepared ? [] : prepared.taken.warnings };
  });
}

async function documentsOf(tx: Tx, org: OrgId, template_id: TemplateId) {
  refuseUnusable(await findTemplate(tx, org, template_id));
  return { documents: await listDocuments(tx, org, template_id), fields: await findFields(tx, org, template_id) };
}

const asDocuments = (name: string, { pdf, pages, fields }: TakenTemplateFile) => ({
  documents: [{ document_no: 1, name, pages, pdf_sha256: pdf.sha256, pdf_size: pdf.size }],
  fields,
});

export const addDocument = { prepare: prepareAdded, save: saveAdded };

export function changeDocument(
  deps: Pick<TemplateDeps, "db">,
  caller: Caller,
  template_id: TemplateId,
  document_id: DocumentId,
  { name, document_no }: { readonly name?: string; readonly document_no?: number },
): Promise<ChangedDocuments> {
  const { org } = caller;
  return changing(deps.db, caller, template_id, async (tx, documents) => {
    const document = findDocument(documents, document_id);
    if (name !== undefined) await updateDocument(tx, org, template_id, { ...document, name });
    if (document_no !== undefined) await renumberDocuments(tx, org, template_id, moveDocument(documents, document_id, document_no));
    return { how: "changed", warnings: [] };
  });
}

export function removeDocument(
  deps: Pick<TemplateDeps, "db">,
  caller: Caller,
  template_id: TemplateId,
  document_id: DocumentId,
): Promise<ChangedDocuments> {
  const { org } = caller;
  return changing(deps.db, caller, template_id, async (tx, documents) => {
    const { document_no, pdf_sha256 } = findDocument(documents, document_id);
    if (documents.length === 1) throw new Problem("last_document");
    await deleteDocument(tx, org, template_id, document_no);
    if (pdf_sha256 !== null) await releaseBlobs(tx, org, [pdf_sha256]);
    await renumberDocuments(tx, org, template_id, renumber(documents.filter((one) => one.document_id !== document_id)));
    return { how: "removed", warnings: [] };
  });
}

async function prepareReplacement(
  deps: TemplateDeps,
  caller: Caller,
  template_id: TemplateId,
  document_id: DocumentId,
  file: ReceivedFile,
): Promise<TakenTemplateFile> {
  await deps.db.tx(caller.org, async (tx) => {
    refuseUnusable(await findTemplate(tx, caller.org, template_id));
    findDocument(await listDocuments(tx, caller.org, template_id), document_id);
  });
  return takeTemplateFile(deps, caller, file);
}

function saveReplacement(
  deps: TemplateDeps,
  caller: Caller,
  template_id: TemplateId,
  document_id: DocumentId,
  taken: TakenTemplateFile,
): Promise<ChangedDocuments> {
  const { org } = caller;
  return changing(deps.db, caller, template_id, async (tx, documents) => {
    const document = findDocument(documents, document_id);
    const { document_no } = document;
    const others = documents.filter((one) => one !== document);
    refuseTooLarge([...others, { pages: taken.pages, pdf_size: taken.pdf.size }]);
    if (document.pdf_sha256 !== null) await releaseBlobs(tx, org, [document.pdf_sha256]);
    await keepBlob(tx, org, taken.pdf.sha256);
    await updateDocument(tx, org, template_id, { ...document, pdf_sha256: taken.pdf.sha256, pages: taken.pages });
    const before = await findFields(tx, org, template_id);
    const elsewhere = before.filter((field) => field.document_no !== document_no);
    const stay = stayOnPages(
      before.filter((field) => field.document_no === document_no),
      taken.pages.length,
    );
    const added = taken.fields
      .filter((field) => !stay.fields.some((other) => other.name === field.name && other.role === field.role))
      .map((field) => ({ ...field, document_no }));
    const fields = [...stay.fields, ...added];
    refuseTooManyFields(elsewhere.length + fields.length);
    await deleteFieldsOf(tx, org, template_id, document_no);
    await insertFields(tx, org, template_id, keyFields(fields, elsewhere), await nextPosition(tx, org, template_id));
    return { how: "replaced", warnings: [...stay.warnings, ...taken.warnings] };
  });
}

export const replaceDocument = { prepare: prepareReplacement, save: saveReplacement };

interface Change {
  readonly how: "added" | "changed" | "replaced" | "removed";
  readonly warnings: readonly Warning[];
}

/** One change, under the lock of the template, with its entry. */
function changing(
  db: Db,
  caller: Caller,
  template_id: TemplateId,
  change: (tx: Tx, documents: readonly TemplateDocument[]) => Promise<Change>,
): Promise<ChangedDocuments> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    refuseUnusable(await lockTemplate(tx, org, template_id));
    const { how, warnings } = await change(tx, await listDocuments(tx, org, template_id));
    await touchTemplate(tx, org, template_id, caller.actor.id);
    const documents = await listDocuments(tx, org, template_id);
    const data = {
      template_id,
      how,
      documents: documents.map(({ document_id, document_no, name, pdf_sha256 }) => ({
        document_id,
        document_no,
        name,
        sha256: pdf_sha256,
      })),
    };
    await appendAudit(tx, org, { type: "template.documents_changed", by: caller, data });
    return { documents, warnings };
  });
}

function refuseUnusable({ archived_at, document_sha256 }: Template): void {
  if (archived_at !== null) throw new Problem("template_archived");
  if (document_sha256 === null) throw new Problem("template_without_document");
}

function refuseTooManyFields(count: number): void {
  if (count <= MAX_FIELDS) return;
  const message = `the template would have more than ${MAX_FIELDS} fields`;
  throw new Problem("invalid_request", "fields", { details: [{ location: "body", field: null, code: "too_long", message }] });
}
