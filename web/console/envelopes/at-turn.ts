import type { Recipient } from "@countersign/client/types";

/** Whether the envelope waits for this person, now or later. */
export const isWaiting = ({ kind, status }: Pick<Recipient, "kind" | "status">): boolean =>
  kind !== "cc" && (status === "pending" || status === "viewed" || status === "locked");

/** The people whose turn it is: those of the first step in which people have not acted yet. */
export function atTurn(recipients: readonly Recipient[]): readonly Recipient[] {
  const waiting = recipients.filter(isWaiting);
  const running = Math.min(...waiting.map(({ step }) => step ?? 1));
  return waiting.filter(({ step }) => (step ?? 1) === running);
}
