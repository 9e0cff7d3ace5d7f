import { type Static, Type } from "typebox";
import { DocumentView, orNoDocument } from "../documents/document-list.ts";
import { acceptDocument } from "../documents/file-kind.ts";
import { pdfProblems } from "../documents/pdf-problems.ts";
import { type Endpoint, endpoint, reading, serving, uploading, uploadingOr } from "../http/endpoint.ts";
import { idOf, Name, named } from "../http/shapes.ts";
import { isId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { Warnings } from "../templates/field-shapes.ts";
import { type AddedDocument, addDocument } from "./add-document.ts";
import { changeDocument, type DocumentChange } from "./change-document.ts";
import { listDocuments } from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import * as examples from "./examples.ts";
import { issuePart } from "./issue-part.ts";
import { presentChangedDocuments, presentDocuments } from "./present.ts";
import { removeDocument } from "./remove-document.ts";
import { replaceDocument } from "./replace-document.ts";
import { findStatus } from "./store.ts";

export const TemplateBody = Type.Object({ template_id: idOf("template") });
export const ChangeDocumentBody = Type.Object({
  name: Type.Optional(Name),
  document_no: Type.Optional(Type.Integer({ minimum: 1, description: "Its new place in the order. A number beyond the end means last" })),
});

const DocumentsView = named(
  "EnvelopeDocuments",
  Type.Object({ envelope_id: idOf("envelope"), documents: Type.Array(DocumentView), warnings: Warnings }),
);

const mayRead = { anyScope: ["envelopes:read", "drafts:write"], ownDraft: true } as const;
const mayWrite = { anyScope: ["envelopes:write", "drafts:write"], ownDraft: true } as const;
const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;
const oneDocument = { params: { envelope_id: "envelope", document_id: "document" }, missing: "document_not_found" } as const;
const path = "/partner/envelopes/:envelope_id/documents";

const fileProblems = [
  "not_a_document",
  "image_unreadable",
  "image_too_large",
  ...pdfProblems,
  "disk_full",
  "storage_away",
  "envelope_too_large",
] as const;

/** The documents of one envelope. They change only in a draft. */
export function documentEndpoints(deps: EnvelopeDeps): Endpoint[] {
  return [
    reading({
      name: "list_envelope_documents",
      summary: "List the documents of an envelope",
      description:
        "Returns the documents of an envelope in order. Several documents are combined into one when the envelope is sent; `first_page` is then the page on which each begins. For signers without a signature field the list ends with a signature page.",
      resource: "Documents",
      sdk: "envelopes.documents.list",
      path,
      access: mayRead,
      ...oneEnvelope,
      answer: [200, DocumentsView],
      examples: { answer: examples.documents },
      run: async (caller, { params: { envelope_id } }, read) => {
        await findStatus(read, caller.org, envelope_id);
        return presentDocuments(envelope_id, await listDocuments(read, caller.org, envelope_id));
      },
    }),
    uploadingOr({
      name: "add_envelope_document",
      summary: "Add a document to an envelope",
      description:
        "Adds a document to the end of a draft: a PDF, PNG or JPEG file as a form, or all documents of a template as JSON with `template_id`. A template brings its fields, its people if the draft has none, and its defaults where the draft says nothing else; tags in the text of a PDF become fields. A `pending` envelope moves to `uploaded`. An envelope has at most 20 documents, together 50 MB and 2,000 pages.",
      resource: "Documents",
      sdk: "envelopes.documents.create",
      path,
      access: mayWrite,
      ...oneEnvelope,
      exists: (caller, { envelope_id }, read) => findStatus(read, caller.org, envelope_id),
      body: TemplateBody,
      form: { parts: Type.Object({ name: Type.Optional(Name) }), accept: acceptDocument },
      answer: [201, DocumentsView],
      problems: [
        "envelope_wrong_status",
        "template_not_found",
        "template_archived",
        "template_without_document",
        "unknown_roles",
        ...fileProblems,
      ],
      examples: { request: examples.addTemplate, answer: examples.documents },
      prepare: (caller, input) => addDocument.prepare(deps, caller, input.params.envelope_id, addedOf(input)),
      run: async (caller, { params: { envelope_id } }, prepared) =>
        presentChangedDocuments(envelope_id, await addDocument.save(deps, caller, envelope_id, prepared)),
    }),
    endpoint({
      name: "change_envelope_document",
      summary: "Rename or move a document of an envelope",
      description:
        "Changes the name of a document in a draft, or its place in the order. The other documents move up or down, and fields stay on their documents. Returns all documents in their new order. The ETag for `If-Match` is that of the list of documents.",
      resource: "Documents",
      sdk: "envelopes.documents.update",
      method: "PATCH",
      path: `${path}/:document_id`,
      access: mayWrite,
      ...oneDocument,
      body: ChangeDocumentBody,
      answer: [200, DocumentsView],
      problems: ["envelope_wrong_status"],
      ifMatch: true,
      examples: { request: { document_no: 1 }, answer: examples.documents },
      run: async (caller, { params: { envelope_id, document_id }, body, unchanged }) =>
        presentChangedDocuments(
          envelope_id,
          await orNoDocument(
            changeDocument(deps, caller, envelope_id, document_id, body as DocumentChange, (now) =>
              unchanged(presentDocuments(envelope_id, now)),
            ),
          ),
        ),
    }),
    uploading({
      name: "replace_envelope_document",
      summary: "Replace the file of a document",
      description:
        "Replaces the file of a document in a draft. Fields on pages that still exist stay; others are removed and named in `warnings`. Tags of the new file become fields unless the document has a field of that name and role.",
      resource: "Documents",
      sdk: "envelopes.documents.replace",
      method: "PUT",
      path: `${path}/:document_id/file`,
      access: mayWrite,
      ...oneDocument,
      exists: (caller, { envelope_id }, read) => orNoDocument(findStatus(read, caller.org, envelope_id)),
      form: { parts: Type.Object({}), accept: acceptDocument },
      answer: [200, DocumentsView],
      problems: ["envelope_wrong_status", ...fileProblems],
      examples: { request: examples.attachForm, answer: examples.documents },
      prepare: (caller, { params: { envelope_id, document_id }, file }) =>
        orNoDocument(replaceDocument.prepare(deps, caller, envelope_id, document_id, file)),
      run: async (caller, { params: { envelope_id, document_id } }, prepared) =>
        presentChangedDocuments(envelope_id, await orNoDocument(replaceDocument.save(deps, caller, envelope_id, document_id, prepared))),
    }),
    endpoint({
      name: "remove_envelope_document",
      summary: "Remove a document from an envelope",
      description:
        "Removes a document of a draft with its fields. The documents after it move up. The last document cannot be removed: replace its file, or discard the envelope.",
      resource: "Documents",
      sdk: "envelopes.documents.delete",
      method: "DELETE",
      path: `${path}/:document_id`,
      access: mayWrite,
      ...oneDocument,
      answer: [200, DocumentsView],
      problems: ["envelope_wrong_status", "last_document"],
      examples: { answer: examples.documents },
      run: async (caller, { params: { envelope_id, document_id } }) =>
        presentChangedDocuments(envelope_id, await orNoDocument(removeDocument(deps, caller, envelope_id, document_id))),
    }),
    serving({
      name: "get_envelope_document_file",
      summary: "Download one document of an envelope",
      description:
        "Returns the PDF of one document. Until everyone has signed, it is the prepared document without signatures. After that, it is a sealed PDF of this document alone or, for a vaulted envelope or one with auto-vault, a copy that is marked on every page. Both downloads are recorded in the audit trail.",
      resource: "Documents",
      sdk: "envelopes.documents.getFile",
      path: `${path}/:document_id/file`,
      access: mayRead,
      ...oneDocument,
      types: ["application/pdf"],
      problems: ["document_not_ready", "record_mismatch", "document_unavailable", "pdf_busy"],
      run: (caller, { params: { envelope_id, document_id } }) =>
        orNoDocument(issuePart(deps, { caller, named: caller.actor.id, early: "prepared" }, envelope_id, document_id)),
    }),
  ];
}

type Given =
  | { readonly file: Extract<AddedDocument, { file: unknown }>["file"]; readonly form: { readonly name?: string } }
  | { readonly file: null; readonly body: Static<typeof TemplateBody> };

/** An id of another form is a template that does not exist. */
export function addedOf(given: Given): AddedDocument {
  if (given.file !== null) return { file: given.file, name: given.form.name };
  const { template_id } = given.body;
  if (!isId("template", template_id)) throw new Problem("template_not_found", "not an id");
  return { template_id };
}
