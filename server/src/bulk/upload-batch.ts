import { readFile } from "node:fs/promises";
import type { ReceivedFile } from "../http/form.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Caller } from "../shared/caller.ts";
import { isId, newId, type TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { findTemplate } from "../templates/store.ts";
import { type Batch, type BulkDeps, MAX_FILE_BYTES, type Options } from "./batch.ts";
import { findBatch, insertBatch } from "./store.ts";

export interface UploadRequest {
  readonly template_id: string;
  readonly options?: Options & { readonly name?: string; readonly kba_required?: boolean };
}

export interface PreparedUpload {
  readonly template_id: TemplateId;
  readonly name: string | null;
  readonly options: Options;
  readonly file_sha256: string;
  readonly content: Uint8Array;
}

export async function acceptFile({ size }: ReceivedFile): Promise<void> {
  if (size > MAX_FILE_BYTES) throw new Problem("bulk_file_too_large");
}

async function prepareUpload({ template_id, options = {} }: UploadRequest, file: ReceivedFile): Promise<PreparedUpload> {
  if (!isId("template", template_id)) throw new Problem("template_not_found", "not an id");
  const { name, kba_required = false, ...others } = options;
  if (kba_required) {
    const message = "cannot be used in bulk: identity questions are different for each person";
    const details = [{ location: "form", field: "options.kba_required", code: "conflict", message } as const];
    throw new Problem("invalid_request", "kba", { details });
  }
  const named = name ?? file.name?.replace(/\.csv$/i, "").slice(0, 200) ?? null;
  return {
    template_id,
    name: named === null || named.trim() === "" ? null : named,
    options: others,
    file_sha256: file.sha256,
    content: await readFile(file.path),
  };
}

/** Nothing is sent: a job checks the rows, and `startBatch` sends. */
function saveUpload({ db }: BulkDeps, caller: Caller, upload: PreparedUpload): Promise<Batch> {
  const { org, actor } = caller;
  const { template_id, file_sha256, content } = upload;
  return db.tx(org, async (tx) => {
    const template = await findTemplate(tx, org, template_id);
    if (template.archived_at !== null) throw new Problem("template_archived");
    if (template.document_sha256 === null) throw new Problem("template_without_document");
    const batch_id = newId("bulkBatch", tx.now.getTime());
    const name = upload.name ?? template.name;
    const { auto_vault_enabled = template.defaults.auto_vault_enabled } = upload.options;
    // The person who starts it must see that the terms have to be accepted, also if the template says so.
    const options = { ...upload.options, ...(auto_vault_enabled !== undefined && { auto_vault_enabled }) };
    await insertBatch(tx, org, { batch_id, template_id, name, options, file_sha256, created_by: actor }, content);
    await enqueue(tx, "bulk.check", { org_id: org, batch_id });
    return findBatch(tx, org, batch_id);
  });
}

export const uploadBatch = { accept: acceptFile, prepare: prepareUpload, save: saveUpload };
