import type { EnvelopeStatus } from "@countersign/client/types";
import type { ComponentChildren } from "preact";

export type Tone = "plain" | "going" | "good" | "caution" | "bad" | "waiting";

/** A label for a state. The colour only repeats what the text says. */
export function Chip({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`chip ${tone}`}>{children}</span>;
}

const shown: Record<EnvelopeStatus, readonly [Tone, string]> = {
  pending: ["plain", "Draft"],
  uploaded: ["plain", "Draft"],
  preparing: ["plain", "Draft"],
  sent: ["going", "Sent"],
  viewed: ["going", "Opened"],
  completed: ["good", "Completed"],
  vaulted: ["good", "Vaulted"],
  declined: ["bad", "Declined"],
  voided: ["bad", "Voided"],
  expired: ["bad", "Expired"],
};

export const statusLabel = (status: EnvelopeStatus): string => shown[status][1];

/** `isDiscarded`: a draft that was given up, which the API has as voided. */
export function StatusChip({ status, isDiscarded = false }: { status: EnvelopeStatus; isDiscarded?: boolean }) {
  const [tone, words] = isDiscarded ? (["plain", "Discarded"] as const) : shown[status];
  return <Chip tone={tone}>{words}</Chip>;
}
