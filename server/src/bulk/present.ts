import { iso, isoOrNull } from "../http/shapes.ts";
import type { Batch, Options, Row, RowFault } from "./batch.ts";

export const presentBatch = (batch: Batch) => ({
  batch_id: batch.batch_id,
  name: batch.name,
  template_id: batch.template_id,
  state: batch.state,
  reason: batch.reason,
  options: presentOptions(batch.options),
  rows: batch.rows,
  ready: batch.ready,
  invalid: batch.invalid,
  sent: batch.sent,
  failed: batch.failed,
  skipped: batch.skipped,
  warned: batch.warned,
  created_at: iso(batch.created_at),
  started_at: isoOrNull(batch.started_at),
  ended_at: isoOrNull(batch.ended_at),
  erased_at: isoOrNull(batch.erased_at),
  file_sha256: batch.file_sha256,
  columns: [...batch.columns],
  problems: batch.problems.map(({ column, message }) => ({ column, message })),
});

const presentOptions = ({ tags, message, expires_in_days, reminders, auto_vault_enabled }: Options) => ({
  ...(tags !== undefined && { tags: [...tags] }),
  ...(message !== undefined && { message }),
  ...(expires_in_days !== undefined && { expires_in_days }),
  ...(reminders !== undefined && { reminders }),
  ...(auto_vault_enabled !== undefined && { auto_vault_enabled }),
});

const presentFault = ({ column, code, message }: RowFault) => ({ column, code, message });

export const presentRow = ({ row_no, state, envelope_id, errors, warnings, data }: Row) => ({
  row_no,
  state,
  envelope_id,
  errors: errors.map(presentFault),
  warnings: warnings.map(presentFault),
  cells: data === null ? null : [...data],
});
