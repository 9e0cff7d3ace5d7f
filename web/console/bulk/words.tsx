import type { BulkBatch, BulkBatchState } from "@countersign/client/types";
import { Chip, type Tone } from "../parts/chip.tsx";
import { en as words } from "../words/bulk/en.ts";

export { words };

const tones: Partial<Record<BulkBatchState, Tone>> = {
  checking: "going",
  checked: "waiting",
  queued: "going",
  running: "going",
  paused: "caution",
  ended: "good",
  refused: "bad",
};

/** Green only if no row failed. */
export function BulkChip({ state, failed }: Pick<BulkBatch, "state" | "failed">) {
  const tone = state === "ended" && failed > 0 ? "caution" : (tones[state] ?? "plain");
  return <Chip tone={tone}>{words.states[state]}</Chip>;
}

/** Why a batch waits for a person. */
export function pausedWords(reason: string | null): string {
  if (reason === "template_changed" || reason === "certification_terms_outdated" || reason === "identity_level_too_low")
    return words.paused[reason];
  return words.paused.other(reason ?? "unknown");
}
