import type { BatchItem } from "@countersign/evidence";
import type { Actor } from "../../shared/caller.ts";
import type { ActId, ControlBatchId, EnvelopeId, OrgId } from "../../shared/ids.ts";

/** One act on many records, or one order to evaluate them or to collect their evidence. Each record has its own result. */

/** With an act, which the parties confirm once for all records. */
export const actingKinds = ["designate", "assign", "pledge", "release_pledge", "move_custody", "transfer_out"] as const;
export type ActingKind = (typeof actingKinds)[number];
/** Nothing changes, so no one is asked. */
export const plainKinds = ["re_evaluate", "evidence"] as const;
export type PlainKind = (typeof plainKinds)[number];
export const batchKinds = [...actingKinds, ...plainKinds] as const;
export type BatchKind = (typeof batchKinds)[number];

export const isActing = (kind: BatchKind): kind is ActingKind => (actingKinds as readonly string[]).includes(kind);

export const batchStates = ["proposed", "running", "done", "refused", "cancelled", "expired"] as const;
export type BatchState = (typeof batchStates)[number];

export const itemStates = ["waiting", "done", "skipped"] as const;
export type ItemState = (typeof itemStates)[number];

// What a person can still look through as a list, and what fits into one request and one report of about a megabyte.
export const MAX_ITEMS = 5_000;

export interface ControlBatch {
  readonly control_batch_id: ControlBatchId;
  readonly kind: BatchKind;
  /** follows the act; without one it is running until its report is signed */
  readonly state: BatchState;
  readonly reason: string;
  readonly root: string;
  readonly count: number;
  readonly done: number;
  readonly skipped: number;
  /** null without an act */
  readonly act_id: ActId | null;
  /** of the audit entry that it was created */
  readonly entry_hash: string;
  readonly created_by: Actor;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

/** As those who decide see it, and what became of it. */
export interface Item extends BatchItem {
  /** counts from 0, the order of the tree */
  readonly index: number;
  readonly envelope_id: EnvelopeId;
  readonly state: ItemState;
  /** why it was skipped */
  readonly code: string | null;
  readonly result: ItemResult | null;
  readonly settled_at: Date | null;
}

/** Only of batches without an act: the certificate that was made, or the bundle. */
export type ItemResult =
  | { readonly revision: number; readonly score: number; readonly standing: string }
  | { readonly bundle_sha256: string; readonly bundle_size: number; readonly verified: boolean };

/** Names every item with its result: canonical JSON, signed by the installation. */
export interface Report {
  readonly type: "countersign/control-batch-report/1";
  readonly org_id: OrgId;
  readonly control_batch_id: ControlBatchId;
  readonly kind: BatchKind;
  readonly act_id: ActId | null;
  readonly act_sha256: string | null;
  readonly root: string;
  readonly count: number;
  readonly done: number;
  readonly skipped: number;
  readonly created_at: string;
  readonly finished_at: string;
  readonly items: readonly ReportedItem[];
  readonly key_id: string;
}

export interface ReportedItem {
  readonly index: number;
  readonly envelope_id: EnvelopeId;
  readonly copy_sha256: string;
  readonly state: "done" | "skipped";
  readonly code: string | null;
  readonly result: ItemResult | null;
  readonly settled_at: string;
}
