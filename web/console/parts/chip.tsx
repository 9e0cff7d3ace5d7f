import type { EnvelopeStatus } from "@countersign/client/types";
import type { ComponentChildren } from "preact";

export type Tone = "plain" | "going" | "good" | "caution" | "bad" | "waiting";

/** A label for a state. The colour only repeats what the text says. */
export function Chip({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`chip ${tone}`}>{children}</span>;
}

const shown: Record<EnvelopeStatus, readonly [Tone, string]> = {
  pending: ["plain", "No document"],
  uploaded: ["plain", "Draft"],
  preparing: ["plain", "Preparing"],
  sent: ["going", "Sent"],
  viewed: ["going", "Opened"],
  completed: ["good", "Completed"],
  vaulted: ["good", "Vaulted"],
  declined: ["bad", "Declined"],
  voided: ["bad", "Voided"],
  expired: ["bad", "Expired"],
};

export const statusLabel = (status: EnvelopeStatus): string => shown[status][1];

export function StatusChip({ status }: { status: EnvelopeStatus }) {
  const [tone, words] = shown[status];
  return <Chip tone={tone}>{words}</Chip>;
}
