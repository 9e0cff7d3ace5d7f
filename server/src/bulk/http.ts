import { type Static, Type } from "typebox";
import { CertificationShape } from "../envelopes/shapes.ts";
import { type Endpoint, endpoint, listing, reading, serving, uploading } from "../http/endpoint.ts";
import { about } from "../http/shapes.ts";
import type { BulkDeps } from "./batch.ts";
import { cancelBatch } from "./cancel-batch.ts";
import * as examples from "./examples.ts";
import { presentBatch, presentRow } from "./present.ts";
import { retryBatch } from "./retry-batch.ts";
import { listRows } from "./row-store.ts";
import { BatchStateShape, BatchView, OptionsBody, RowStateShape, RowView } from "./shapes.ts";
import { type StartRequest, startBatch } from "./start-batch.ts";
import { findBatch, listBatches } from "./store.ts";
import { type UploadRequest, uploadBatch } from "./upload-batch.ts";
import { writeFiles } from "./write-files.ts";

const mayRead = { anyScope: ["envelopes:read"] } as const;
const mayWrite = { anyScope: ["envelopes:write"] } as const;
const maySend = { anyScope: ["envelopes:write", "esign:write"] } as const;
const oneBatch = { params: { batch_id: "bulkBatch" }, missing: "batch_not_found" } as const;

const StartBody = Type.Object({
  accept_invalid: Type.Optional(Type.Boolean({ description: "true: rows with problems are left out. Without it they are 409" })),
  certification: Type.Optional(about(CertificationShape, "Required with auto_vault_enabled. Counts for every envelope of the bulk send")),
});

export function bulkEndpoints(deps: BulkDeps): Endpoint[] {
  return [...changingBatches(deps), ...readingBatches(deps)];
}

function changingBatches(deps: BulkDeps): Endpoint[] {
  return [
    uploading({
      name: "create_bulk_batch",
      summary: "Upload a file for a bulk send",
      description:
        "Takes a CSV file (UTF-8, at most 10 MB and 10,000 rows) with one row for each envelope from a template; `get_bulk_example` has its columns. `options` applies to every envelope. The rows are checked in the background, and nothing is sent before you start the bulk send.",
      resource: "Bulk send",
      sdk: "bulkBatches.create",
      path: "/partner/bulk-batches",
      access: mayWrite,
      form: {
        parts: Type.Object({ template_id: Type.String({ maxLength: 100 }), options: Type.Optional(OptionsBody) }),
        json: { options: "malformed" },
        accept: uploadBatch.accept,
      },
      answer: [201, BatchView],
      problems: ["template_not_found", "template_archived", "template_without_document", "bulk_file_too_large", "form_json_malformed"],
      examples: { request: examples.uploadForm, answer: examples.checking },
      prepare: (_caller, { form, file }) => uploadBatch.prepare(form as unknown as UploadRequest, file),
      run: async (caller, _input, upload) => presentBatch(await uploadBatch.save(deps, caller, upload)),
    }),
    endpoint({
      name: "start_bulk_batch",
      summary: "Start a bulk send",
      description:
        "Sends an envelope for each row that is ready, in the order of the file, from `checked` or `paused`. While another bulk send of your organization runs, it is `queued`. If the template was changed after the check, the response is 409 `template_changed`; check the rows again with `retry_bulk_batch`.",
      resource: "Bulk send",
      sdk: "bulkBatches.start",
      method: "POST",
      path: "/partner/bulk-batches/:batch_id/start",
      access: maySend,
      ...oneBatch,
      body: StartBody,
      answer: [200, BatchView],
      problems: [
        "batch_wrong_state",
        "batch_has_invalid_rows",
        "batch_without_ready_rows",
        "template_changed",
        "certification_required",
        "certification_terms_outdated",
      ],
      examples: { request: examples.start, answer: examples.running },
      run: async (caller, { params, body }) =>
        presentBatch(await startBatch(deps, caller, params.batch_id, body as Static<typeof StartBody> as StartRequest)),
    }),
    endpoint({
      name: "cancel_bulk_batch",
      summary: "Cancel a bulk send",
      description:
        "Stops a bulk send that has not ended. Rows that were not begun are skipped; an envelope that was being sent in this moment is still sent. Envelopes that were sent stay: void them if they should end.",
      resource: "Bulk send",
      sdk: "bulkBatches.cancel",
      method: "POST",
      path: "/partner/bulk-batches/:batch_id/cancel",
      access: maySend,
      ...oneBatch,
      answer: [200, BatchView],
      problems: ["batch_wrong_state"],
      examples: { answer: examples.cancelled },
      run: async (caller, { params }) => presentBatch(await cancelBatch(deps, caller, params.batch_id)),
    }),
    endpoint({
      name: "retry_bulk_batch",
      summary: "Check the unsent rows of a bulk send again",
      description:
        "Puts rows that failed or were skipped back and checks every row that was not sent against the template as it is now. From `ended`, `cancelled` and `paused`. The state becomes `checking` and then `checked`; start it to send these rows.",
      resource: "Bulk send",
      sdk: "bulkBatches.retry",
      method: "POST",
      path: "/partner/bulk-batches/:batch_id/retry",
      access: maySend,
      ...oneBatch,
      answer: [200, BatchView],
      problems: ["batch_wrong_state", "batch_without_rows_to_retry", "batch_rows_erased"],
      examples: { answer: { ...examples.checking, rows: 10_000, ready: 12, sent: 9_948, invalid: 40 } },
      run: async (caller, { params }) => presentBatch(await retryBatch(deps, caller, params.batch_id)),
    }),
  ];
}

function readingBatches(deps: BulkDeps): Endpoint[] {
  return [
    listing({
      name: "list_bulk_batches",
      summary: "List bulk sends",
      description: "Lists the bulk sends of your organization, newest first. Use `batch_id` of `list_envelopes` for the envelopes of one.",
      resource: "Bulk send",
      sdk: "bulkBatches.list",
      path: "/partner/bulk-batches",
      access: mayRead,
      query: Type.Object({ state: Type.Optional(BatchStateShape), template_id: Type.Optional(Type.String({ maxLength: 100 })) }),
      item: BatchView,
      examples: { answer: examples.running },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listBatches(read, caller.org, query, { page, limit });
        return { items: items.map(presentBatch), total };
      },
    }),
    reading({
      name: "get_bulk_batch",
      summary: "Get a bulk send",
      description: "Returns the state and the numbers of a bulk send. Poll it while the state is `checking`, `queued` or `running`.",
      resource: "Bulk send",
      sdk: "bulkBatches.get",
      path: "/partner/bulk-batches/:batch_id",
      access: mayRead,
      ...oneBatch,
      answer: [200, BatchView],
      examples: { answer: examples.checked },
      run: async (caller, { params }, read) => presentBatch(await findBatch(read, caller.org, params.batch_id)),
    }),
    listing({
      name: "list_bulk_rows",
      summary: "List the rows of a bulk send",
      description:
        "Lists the rows in the order of the file, each with its state, its problems and its envelope. The contents of rows are deleted some time after the end, by default 30 days.",
      resource: "Bulk send",
      sdk: "bulkBatches.rows.list",
      path: "/partner/bulk-batches/:batch_id/rows",
      access: mayRead,
      ...oneBatch,
      query: Type.Object({ state: Type.Optional(RowStateShape) }),
      item: RowView,
      examples: { answer: examples.row },
      run: async (caller, { params, query, page, limit }, read) => {
        await findBatch(read, caller.org, params.batch_id);
        const { items, total } = await listRows(read, caller.org, params.batch_id, query, { page, limit });
        return { items: items.map(presentRow), total };
      },
    }),
    serving({
      name: "get_bulk_rows_csv",
      summary: "Download the rows of a bulk send as CSV",
      description:
        "Returns the rows as they were uploaded, with an additional column `errors`. With `state=invalid`, correct the file and upload it as another bulk send; the column `errors` is ignored. A cell that a spreadsheet would run as a formula gets an apostrophe in front, which an upload removes.",
      resource: "Bulk send",
      sdk: "bulkBatches.rows.export",
      path: "/partner/bulk-batches/:batch_id/rows.csv",
      access: mayRead,
      ...oneBatch,
      query: Type.Object({ state: Type.Optional(RowStateShape) }),
      types: ["text/csv"],
      problems: ["batch_rows_erased"],
      run: (caller, { params, query }) => writeFiles.rows(deps, caller, params.batch_id, query.state),
    }),
    serving({
      name: "get_bulk_example",
      summary: "Download an example file for a bulk send",
      description:
        "Returns a CSV file with every column that a bulk send from this template can have, and one row as an example: name, e-mail address and language of each role, and values of fields by their `field_key`. Only names and addresses are required.",
      resource: "Bulk send",
      sdk: "templates.bulkExample",
      path: "/partner/templates/:template_id/bulk.csv",
      access: mayRead,
      params: { template_id: "template" },
      missing: "template_not_found",
      types: ["text/csv"],
      run: (caller, { params }) => writeFiles.example(deps, caller, params.template_id),
    }),
  ];
}
