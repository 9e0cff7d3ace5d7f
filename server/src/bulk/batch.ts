import type { Db } from "../db/connect.ts";
import type { Certification } from "../envelopes/certification.ts";
import type { Choices } from "../envelopes/choices.ts";
import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import type { Actor, Caller } from "../shared/caller.ts";
import type { BatchId, EnvelopeId, OrgId, TemplateId } from "../shared/ids.ts";
import type { JobLog } from "../shared/job-log.ts";
import type { Detail, ProblemCode } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { Field } from "../signing/field.ts";
import type { TemplateDocument } from "../templates/document-store.ts";
import type { Template } from "../templates/template.ts";

/** One envelope from a template for each row of a file. */

export interface BulkDeps {
  readonly db: Db;
  readonly envelopes: EnvelopeDeps;
  /** of one organization */
  readonly rowsPerMinute: number;
  /** for how long the contents of rows are kept after the last change of their batch */
  readonly retentionDays: number;
  readonly log?: JobLog | undefined;
}

export const batchStates = ["checking", "checked", "refused", "queued", "running", "paused", "ended", "cancelled"] as const;
export type BatchState = (typeof batchStates)[number];

export const rowStates = ["ready", "invalid", "sent", "failed", "skipped"] as const;
export type RowState = (typeof rowStates)[number];

export const MAX_ROWS = 10_000;
export const MAX_FILE_BYTES = 10_485_760;

/** What applies to every envelope of a batch. */
export interface Options extends Pick<Choices, "message" | "expires_in_days" | "reminders"> {
  readonly tags?: readonly string[];
  readonly auto_vault_enabled?: boolean;
}

export interface FileProblem {
  /** null for the file as a whole */
  readonly column: string | null;
  readonly message: string;
}

export interface RowFault extends FileProblem {
  readonly code: Detail["code"];
}

/** Why a batch is paused: a code of ours, or the error that came again and again. */
export type PauseReason = "template_changed" | "certification_terms_outdated" | "identity_level_too_low" | ProblemCode;

/** Who started it. Each envelope is created and sent in their name. */
export type StartedBy = Pick<Caller, "actor" | "ip" | "user_agent" | "request_id">;

export interface Batch {
  readonly batch_id: BatchId;
  readonly template_id: TemplateId;
  readonly name: string;
  readonly state: BatchState;
  readonly reason: PauseReason | null;
  readonly options: Options;
  readonly file_sha256: string;
  readonly template_sha256: string | null;
  readonly columns: readonly string[];
  readonly problems: readonly FileProblem[];
  readonly rows: number;
  /** ready and not yet done */
  readonly ready: number;
  readonly invalid: number;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
  /** rows that are ready and have a warning */
  readonly warned: number;
  readonly faults: number;
  readonly fault: string | null;
  readonly fault_row: number | null;
  readonly run_no: number;
  readonly paced_until: Date | null;
  readonly created_by: Actor;
  readonly started_by: StartedBy | null;
  readonly certification: Certification | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly erased_at: Date | null;
}

export interface Row {
  /** as a spreadsheet numbers it: the header is row 1 */
  readonly row_no: number;
  readonly state: RowState;
  /** null after the contents were erased */
  readonly data: readonly string[] | null;
  readonly errors: readonly RowFault[];
  readonly warnings: readonly RowFault[];
  readonly envelope_id: EnvelopeId | null;
}

/** What rows are checked against. */
export interface CheckedTemplate {
  readonly template: Template;
  readonly documents: readonly TemplateDocument[];
  readonly fields: readonly Field[];
}

/** Identifies a template as rows were checked against it: everything that decides what an envelope from it would contain. */
export function fingerprintOf({ template, documents, fields }: CheckedTemplate): string {
  const listed = fields.map((field) => [
    field.name,
    field.type,
    field.role,
    field.required,
    field.readonly,
    field.default_value,
    field.options,
    field.settings,
    field.field_key,
    field.document_no,
    field.areas,
  ]);
  const files = documents.map(({ pdf_sha256, name }) => [pdf_sha256, name]);
  return sha256(JSON.stringify([files, template.role_rows, template.defaults, listed])).toString("hex");
}

/** The caller in whose name a batch creates and sends envelopes. */
export const callerOf = (org: OrgId, { actor, ip, user_agent, request_id }: StartedBy): Caller => ({
  org,
  actor,
  ip,
  user_agent,
  request_id,
  scopes: [],
  session: null,
});
