import type { IngestedFile } from "@countersign/pdf/pool";
import type { NewEntry } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { kindOf } from "../documents/file-kind.ts";
import { asDocumentProblem } from "../documents/pdf-problems.ts";
import { takeFile } from "../documents/take-file.ts";
import { type Warning, warningsOf } from "../documents/warnings.ts";
import type { ReceivedFile } from "../http/form.ts";
import type { Caller } from "../shared/caller.ts";
import { type EnvelopeId, newId, type OrgId } from "../shared/ids.ts";
import type { BlobName } from "../storage/blob-store.ts";
import { keepBlob } from "../storage/store.ts";
import { storeBlob } from "../storage/store-blob.ts";
import { keyFields } from "../templates/key-fields.ts";
import { fieldsOfTags } from "../templates/resolve-fields.ts";
import { documentPath } from "./document.ts";
import {
  type EnvelopeDocument,
  type EnvelopeField,
  findFields,
  insertDocument,
  insertFields,
  insertReceived,
  type NewDocument,
} from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";

/** An uploaded document, cleaned and stored, but not yet recorded. */
export interface TakenDocument {
  readonly content_type: "application/pdf" | "image/png" | "image/jpeg";
  readonly extension: "pdf" | "png" | "jpg";
  /** the file that is kept for the owner: the cleaned PDF, or the original image */
  readonly kept: BlobName;
  readonly received: BlobName;
  /** the PDF that is shown and signed */
  readonly pdf: BlobName;
  readonly taken: Omit<IngestedFile, "sha256" | "size">;
  readonly warnings: readonly Warning[];
}

const types = {
  pdf: { content_type: "application/pdf", extension: "pdf" },
  png: { content_type: "image/png", extension: "png" },
  jpeg: { content_type: "image/jpeg", extension: "jpg" },
} as const;

/** `refuse` can reject the document before anything is stored. */
export async function takeDocument(
  deps: Pick<EnvelopeDeps, "pdf" | "storage">,
  caller: Caller,
  file: ReceivedFile,
  refuse: (taken: Pick<IngestedFile, "roles">) => void,
): Promise<TakenDocument> {
  // No roots, because the org's trusted roots are not known here. Whether a signature still covers its bytes is checked anyway.
  const request = { tags: "document", images: true, keep_signed: true, verify: { roots: [], at: new Date() } } as const;
  const kind = await kindOf(file);
  const { taken, pdf } = await takeFile(deps, caller, file, request, asDocumentProblem(kind), refuse);
  const received = { sha256: file.sha256, size: file.size };
  const kept = taken.kind === "pdf" ? pdf : await storeBlob(deps.storage, caller.org, { file: file.path }, received);
  return {
    ...types[taken.kind],
    kept,
    received,
    pdf,
    taken,
    warnings: [...fieldsOfTags(taken.fields).warnings, ...warningsOf(taken)],
  };
}

/** What a document is called, and its place among the documents of its envelope. */
export type DocumentPlace = Pick<EnvelopeDocument, "document_id" | "document_no" | "name">;

/** Of an envelope that gets its first document. */
export const onlyDocument = (name: string): DocumentPlace => ({ document_id: newId("document"), document_no: 1, name });

/** Records a document of an existing envelope: its blobs, its row, its versions and its fields. */
export async function recordDocument(
  tx: Tx,
  caller: Caller,
  envelope_id: EnvelopeId,
  place: DocumentPlace,
  document: TakenDocument,
): Promise<void> {
  const { org } = caller;
  await keepFiles(tx, org, document);
  await insertDocument(tx, org, envelope_id, rowOf(org, envelope_id, place, document));
  await insertReceived(tx, org, envelope_id, place.document_no, document);
  const fields = fieldsOf(document.taken, place.document_no);
  if (fields.length > 0) await insertFields(tx, org, envelope_id, keyFields(fields, await findFields(tx, org, envelope_id)));
}

export async function keepFiles(tx: Tx, org: OrgId, { kept, pdf }: TakenDocument): Promise<void> {
  await keepBlob(tx, org, pdf.sha256);
  if (kept.sha256 !== pdf.sha256) await keepBlob(tx, org, kept.sha256);
}

export function rowOf(
  org: OrgId,
  envelope_id: EnvelopeId,
  { document_id, document_no, name }: DocumentPlace,
  document: TakenDocument,
): NewDocument {
  const { kept, pdf, taken, content_type } = document;
  return {
    document_id,
    document_no,
    name,
    path: documentPath(org, envelope_id, name),
    content_type,
    hash: kept.sha256,
    size: kept.size,
    pdf_sha256: pdf.sha256,
    pages: taken.pages,
    roles: taken.roles,
    byte_for_byte: taken.kept,
    received_marks: taken.marks,
  };
}

/** If no tag names a role, the fields are for the first signer. */
export function fieldsOf({ fields, roles }: Pick<IngestedFile, "fields" | "roles">, document_no: number): EnvelopeField[] {
  return fieldsOfTags(fields).fields.map((field) => ({
    ...field,
    document_no,
    role: roles.length === 0 ? null : field.role,
    prefilled: null,
  }));
}

/** For the audit chain: how the signed document came from the upload. Hashes, what was removed, and existing signatures. */
export function receivedData(
  path: string,
  { document_id, document_no }: DocumentPlace,
  { content_type, received, kept, pdf, taken }: TakenDocument,
): NewEntry["data"] {
  const { kept: byte_for_byte, removed, flattened, warnings, seals, pages } = taken;
  return {
    path,
    document_id,
    document_no,
    content_type,
    received_sha256: received.sha256,
    received_size: received.size,
    hash: kept.sha256,
    size: kept.size,
    pdf_sha256: pdf.sha256,
    byte_for_byte,
    removed: { ...removed },
    flattened,
    warnings: [...warnings],
    pages: pages.length,
    signatures: seals.map(({ field, intact, covers_whole_file, fault }) => ({ field, intact, covers_whole_file, fault: fault ?? null })),
  };
}
