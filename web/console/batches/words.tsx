import type { ControlBatch, ControlBatchItem, ControlBatchKind, ControlBatchState } from "@countersign/client/types";
import { kindWords } from "../acts/words.tsx";
import { Chip, type Tone } from "../parts/chip.tsx";
import { en as words } from "../words/batches/en.ts";

const tones: Partial<Record<ControlBatchState, Tone>> = { proposed: "waiting", running: "waiting", done: "good", refused: "bad" };

/** Green only if no record was skipped. */
export function BatchChip({ state, skipped }: Pick<ControlBatch, "state" | "skipped">) {
  const tone = state === "done" && skipped > 0 ? "caution" : (tones[state] ?? "plain");
  return <Chip tone={tone}>{words.states[state]}</Chip>;
}

export const batchKindWords = (kind: ControlBatchKind): string =>
  kind === "re_evaluate" || kind === "evidence" ? words.kinds[kind] : kindWords[kind];

export const itemStateWords = words.records.states;

export function resultWords({ state, code, result }: ControlBatchItem): string {
  const { records, reasons } = words;
  if (state === "waiting") return records.states.waiting;
  if (state === "skipped") return records.skipped(reasons[code ?? ""] ?? records.code(code));
  if (result?.bundle_sha256 != null) return result.verified === true ? records.verified : records.notVerified;
  return result?.revision == null ? records.states.done : records.evaluated(result.revision, result.score);
}
