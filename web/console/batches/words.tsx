import type { ControlBatch, ControlBatchItem, ControlBatchKind, ControlBatchState } from "@countersign/client/types";
import { kindWords } from "../acts/words.tsx";
import { Chip, type Tone } from "../parts/chip.tsx";

export const stateWords: Record<ControlBatchState, string> = {
  proposed: "Waiting for confirmations",
  running: "Running",
  done: "Done",
  refused: "Refused",
  cancelled: "Cancelled",
  expired: "Expired",
};

const tones: Partial<Record<ControlBatchState, Tone>> = { proposed: "waiting", running: "waiting", done: "good", refused: "bad" };

/** Green only if no record was skipped. */
export function BatchChip({ state, skipped }: Pick<ControlBatch, "state" | "skipped">) {
  const tone = state === "done" && skipped > 0 ? "caution" : (tones[state] ?? "plain");
  return <Chip tone={tone}>{stateWords[state]}</Chip>;
}

const others: Readonly<Record<"re_evaluate" | "evidence", string>> = {
  re_evaluate: "Evaluate again",
  evidence: "Make and verify evidence",
};

export const batchKindWords = (kind: ControlBatchKind): string =>
  kind === "re_evaluate" || kind === "evidence" ? others[kind] : kindWords[kind];

const reasons: Readonly<Record<string, string>> = {
  control_changed: "Who controls or keeps the record changed before everyone had confirmed.",
  copy_wrong_state: "The copy was not active any more.",
  copy_on_hold: "The record was under a legal hold.",
  transfer_pending: "A custody transfer of the record was open.",
  control_batch_cancelled: "The batch was cancelled.",
  not_evaluated: "The audit trail is damaged, so nothing was added to it.",
};

export const itemStateWords: Record<ControlBatchItem["state"], string> = { waiting: "Waiting", done: "Done", skipped: "Skipped" };

export function resultWords({ state, code, result }: ControlBatchItem): string {
  if (state === "waiting") return "Waiting";
  if (state === "skipped") return `Skipped. ${reasons[code ?? ""] ?? `Code: ${code}`}`;
  if (result?.bundle_sha256 != null) return result.verified === true ? "Done. The bundle verifies." : "Done. The bundle does not verify.";
  return result?.revision == null ? "Done" : `Done. Revision ${result.revision}, ${result.score} of 100.`;
}
