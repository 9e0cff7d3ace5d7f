import { Type } from "typebox";
import { choices } from "../envelopes/choices.ts";
import { about, idOf, Name, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../http/shapes.ts";
import { TagNames } from "../tags/tag.ts";
import { batchStates, rowStates } from "./batch.ts";

/** Schemas of bulk sends. */

export const BatchStateShape = named(
  "BulkBatchState",
  Type.Enum([...batchStates], {
    description:
      "checking: the rows are being checked. checked: ready to start. refused: the file cannot be used, see `problems`. queued: starts when the bulk send before it has ended. paused: see `reason`; start it again, or check the rows again with retry. ended: every ready row was sent or failed. cancelled: the rows that were left were skipped",
  }),
);
export const RowStateShape = named(
  "BulkRowState",
  Type.Enum([...rowStates], {
    description:
      "ready: checked and not sent yet. invalid: see `errors`; it is not sent. sent: the envelope was sent. failed: it could not be sent, see `errors`. skipped: the bulk send was cancelled before its turn",
  }),
);

const shared = {
  tags: about(TagNames, "For every envelope, in addition to those of its row"),
  message: choices.message,
  expires_in_days: choices.expires_in_days,
  reminders: choices.reminders,
  auto_vault_enabled: Type.Boolean({ description: "true: starting requires `certification`, which counts for every envelope" }),
};

export const OptionsBody = named(
  "BulkOptions",
  Type.Partial(
    Type.Object({
      name: about(Name, "Of the bulk send. The default is the name of the file"),
      ...shared,
      kba_required: Type.Boolean({ description: "Only false: identity questions are personal, so true is 422" }),
    }),
  ),
);

const ProblemView = named(
  "BulkFileProblem",
  Type.Object({ column: about(nullable(Type.String()), "null for the file as a whole"), message: Type.String() }),
);

export const BatchView = named(
  "BulkBatch",
  Type.Object({
    batch_id: idOf("bulkBatch"),
    name: Type.String(),
    template_id: idOf("template"),
    state: BatchStateShape,
    reason: about(
      nullable(Type.String()),
      "Why it is paused: `template_changed`, `certification_terms_outdated`, `identity_level_too_low`, or the code of an error that came again and again",
    ),
    options: named("BulkBatchOptions", Type.Partial(Type.Object(shared))),
    rows: Type.Integer({ description: "All rows of the file" }),
    ready: Type.Integer({ description: "Rows that are ready and not sent yet" }),
    invalid: Type.Integer(),
    sent: Type.Integer(),
    failed: Type.Integer(),
    skipped: Type.Integer(),
    warned: Type.Integer({ description: "Rows that are ready and have a warning, such as a duplicate" }),
    created_at: Timestamp,
    started_at: OptionalTimestamp,
    ended_at: OptionalTimestamp,
    erased_at: about(OptionalTimestamp, "When the contents of the rows were deleted; numbers and envelope ids stay"),
    file_sha256: about(Sha256, "Of the uploaded file, which is deleted once its rows are read"),
    columns: Type.Array(Type.String(), { description: "The header of the file" }),
    problems: Type.Array(ProblemView, { description: "Why the file was refused" }),
  }),
);

const FaultView = named(
  "BulkRowFault",
  Type.Object({
    column: about(nullable(Type.String()), "null for the row as a whole"),
    code: Type.String(),
    message: about(Type.String(), "Follows the name of the column"),
  }),
);

export const RowView = named(
  "BulkRow",
  Type.Object({
    row_no: Type.Integer({ description: "As a spreadsheet numbers it: the header is row 1" }),
    state: RowStateShape,
    envelope_id: about(nullable(idOf("envelope")), "From the moment the envelope is created. A row that failed can have a draft"),
    errors: Type.Array(FaultView),
    warnings: Type.Array(FaultView),
    cells: about(nullable(Type.Array(Type.String())), "In the order of `columns` of the bulk send; null after they were deleted"),
  }),
);
