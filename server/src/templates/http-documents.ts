import { Type } from "typebox";
import { DocumentView, findDocument, orNoDocument } from "../documents/document-list.ts";
import { acceptPdf } from "../documents/file-kind.ts";
import { pdfProblems } from "../documents/pdf-problems.ts";
import { readStored } from "../documents/read-stored.ts";
import { type Endpoint, endpoint, reading, serving, uploading, uploadingOr } from "../http/endpoint.ts";
import { idOf, Name, named } from "../http/shapes.ts";
import { isId, type TemplateId } from "../shared/ids.ts";
import { nameFile } from "../shared/name-file.ts";
import { Problem } from "../shared/problems.ts";
import { addDocument, type ChangedDocuments, changeDocument, removeDocument, replaceDocument } from "./document-changes.ts";
import { listDocuments } from "./document-store.ts";
import { addedDocumentExample, documentsExample } from "./examples.ts";
import { Warnings } from "./field-shapes.ts";
import { presentDocument } from "./present.ts";
import { findTemplate } from "./store.ts";
import type { TemplateDeps } from "./template.ts";

const TemplateBody = Type.Object({ template_id: idOf("template") });
const ChangeBody = Type.Object({
  name: Type.Optional(Name),
  document_no: Type.Optional(Type.Integer({ minimum: 1, description: "Its new place in the order. A number beyond the end means last" })),
});
const DocumentsView = named(
  "TemplateDocuments",
  Type.Object({ template_id: idOf("template"), documents: Type.Array(DocumentView), warnings: Warnings }),
);

const mayRead = { anyScope: ["envelopes:read"] } as const;
const mayWrite = { anyScope: ["envelopes:write"] } as const;
const oneTemplate = { params: { template_id: "template" }, missing: "template_not_found" } as const;
const oneDocument = { params: { template_id: "template", document_id: "document" }, missing: "document_not_found" } as const;
const path = "/partner/templates/:template_id/documents";
const unusable = ["template_archived", "template_without_document"] as const;
const fileProblems = ["not_a_pdf", "tags_invalid", ...pdfProblems, "disk_full", "storage_away", "envelope_too_large"] as const;

const presented = (template_id: TemplateId, { documents, warnings }: ChangedDocuments) => ({
  template_id,
  documents: documents.map(presentDocument),
  ...(warnings.length > 0 && { warnings: [...warnings] }),
});

/** The documents of one template. Envelopes that exist do not change with them. */
export function documentEndpoints(deps: TemplateDeps): Endpoint[] {
  return [
    reading({
      name: "list_template_documents",
      summary: "List the documents of a template",
      description:
        "Returns the documents of a template in order. An envelope from the template gets all of them. Archived templates can be read too.",
      resource: "Documents",
      sdk: "templates.documents.list",
      path,
      access: mayRead,
      ...oneTemplate,
      answer: [200, DocumentsView],
      examples: { answer: documentsExample },
      run: async (caller, { params: { template_id } }, read) => {
        await findTemplate(read, caller.org, template_id);
        return presented(template_id, { documents: await listDocuments(read, caller.org, template_id), warnings: [] });
      },
    }),
    uploadingOr({
      name: "add_template_document",
      summary: "Add a document to a template",
      description:
        "Adds a PDF to the end of a template as a form, or all documents of another template as JSON with `template_id`. Tags in the text of a PDF become fields, and another template brings its fields. A template has at most 20 documents, together 50 MB and 2,000 pages.",
      resource: "Documents",
      sdk: "templates.documents.create",
      path,
      access: mayWrite,
      ...oneTemplate,
      exists: (caller, { template_id }, read) => findTemplate(read, caller.org, template_id),
      body: TemplateBody,
      form: { parts: Type.Object({ name: Type.Optional(Name) }), accept: acceptPdf },
      answer: [201, DocumentsView],
      problems: [...unusable, ...fileProblems],
      examples: { request: addedDocumentExample, answer: documentsExample },
      prepare: (caller, input) => {
        const { template_id } = input.params;
        if (input.file !== null) return addDocument.prepare(deps, caller, template_id, { file: input.file, name: input.form.name });
        const other = input.body.template_id;
        if (!isId("template", other)) throw new Problem("template_not_found", "not an id");
        return addDocument.prepare(deps, caller, template_id, { template_id: other });
      },
      run: async (caller, { params: { template_id } }, prepared) =>
        presented(template_id, await addDocument.save(deps, caller, template_id, prepared)),
    }),
    endpoint({
      name: "change_template_document",
      summary: "Rename or move a document of a template",
      description:
        "Changes the name of a document, or its place in the order. The other documents move up or down, and fields stay on their documents. Returns all documents in their new order.",
      resource: "Documents",
      sdk: "templates.documents.update",
      method: "PATCH",
      path: `${path}/:document_id`,
      access: mayWrite,
      ...oneDocument,
      body: ChangeBody,
      answer: [200, DocumentsView],
      problems: [...unusable],
      examples: { request: { name: "House rules" }, answer: documentsExample },
      run: async (caller, { params: { template_id, document_id }, body }) =>
        presented(template_id, await orNoDocument(changeDocument(deps, caller, template_id, document_id, body))),
    }),
    uploading({
      name: "replace_template_document",
      summary: "Replace the file of a template's document",
      description:
        "Replaces the PDF of a document. Fields on pages that still exist stay; others are removed and named in `warnings`. Tags of the new file become fields unless the document has a field of that name and role.",
      resource: "Documents",
      sdk: "templates.documents.replace",
      method: "PUT",
      path: `${path}/:document_id/file`,
      access: mayWrite,
      ...oneDocument,
      exists: (caller, { template_id }, read) => orNoDocument(findTemplate(read, caller.org, template_id)),
      form: { parts: Type.Object({}), accept: acceptPdf },
      answer: [200, DocumentsView],
      problems: [...unusable, ...fileProblems],
      examples: { request: { file: "(the bytes of lease.pdf)" }, answer: documentsExample },
      prepare: (caller, { params: { template_id, document_id }, file }) =>
        orNoDocument(replaceDocument.prepare(deps, caller, template_id, document_id, file)),
      run: async (caller, { params: { template_id, document_id } }, prepared) =>
        presented(template_id, await orNoDocument(replaceDocument.save(deps, caller, template_id, document_id, prepared))),
    }),
    endpoint({
      name: "remove_template_document",
      summary: "Remove a document from a template",
      description:
        "Removes a document with its fields. The documents after it move up. The last document cannot be removed: replace its file, or archive the template.",
      resource: "Documents",
      sdk: "templates.documents.delete",
      method: "DELETE",
      path: `${path}/:document_id`,
      access: mayWrite,
      ...oneDocument,
      answer: [200, DocumentsView],
      problems: [...unusable, "last_document"],
      examples: { answer: documentsExample },
      run: async (caller, { params: { template_id, document_id } }) =>
        presented(template_id, await orNoDocument(removeDocument(deps, caller, template_id, document_id))),
    }),
    serving({
      name: "get_template_document_file",
      summary: "Download one document of a template",
      description: "Returns the cleaned PDF of one document, without its fields. Archived templates can be read too.",
      resource: "Documents",
      sdk: "templates.documents.getFile",
      path: `${path}/:document_id/file`,
      access: mayRead,
      ...oneDocument,
      types: ["application/pdf"],
      problems: ["template_without_document", "template_pdf_unavailable"],
      run: async ({ org }, { params: { template_id, document_id } }) => {
        const documents = await deps.db.tx(org, async (tx) => {
          await orNoDocument(findTemplate(tx, org, template_id));
          return listDocuments(tx, org, template_id);
        });
        const { pdf_sha256, name } = findDocument(documents, document_id);
        if (pdf_sha256 === null) throw new Problem("template_without_document");
        const bytes = await readStored(deps, org, pdf_sha256, "template_pdf_unavailable");
        return { type: "application/pdf", bytes, file_name: nameFile(name, "pdf") };
      },
    }),
  ];
}
