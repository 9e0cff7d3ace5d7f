import type { ComponentChildren } from "preact";

export type Tone = "plain" | "going" | "good" | "bad" | "waiting";

/** A word for a state. The colour only repeats what the word says. */
export function Chip({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`chip ${tone}`}>{children}</span>;
}

export const statuses = [
  "pending",
  "uploaded",
  "preparing",
  "sent",
  "viewed",
  "completed",
  "vaulted",
  "declined",
  "voided",
  "expired",
] as const;
export type Status = (typeof statuses)[number];

const shown: Record<Status, readonly [Tone, string]> = {
  pending: ["plain", "Waiting for a document"],
  uploaded: ["plain", "Draft"],
  preparing: ["plain", "Being prepared"],
  sent: ["going", "Sent"],
  viewed: ["going", "Opened"],
  completed: ["good", "Signed by all"],
  vaulted: ["good", "Vaulted"],
  declined: ["bad", "Declined"],
  voided: ["bad", "Voided"],
  expired: ["bad", "Expired"],
};

export const statusWords = (status: Status): string => shown[status][1];

export function StatusChip({ status }: { status: Status }) {
  const [tone, words] = shown[status];
  return <Chip tone={tone}>{words}</Chip>;
}
