import type { Envelope, EnvelopeStatus } from "@countersign/client/types";

/** Not sent yet, so it can still be edited. */
export const isDraft = (status: EnvelopeStatus): boolean => status === "pending" || status === "uploaded" || status === "preparing";
/** Sent and waiting for signers. */
export const isOpen = (status: EnvelopeStatus): boolean => status === "sent" || status === "viewed";
/** A draft that was given up. The API has it as voided; it was never sent. */
export const isDiscarded = ({ status, metadata }: Pick<Envelope, "status" | "metadata">): boolean =>
  status === "voided" && metadata.sent_at === null;
/** Final: the status changes no further. */
export const isFinal = (status: EnvelopeStatus): boolean => ["vaulted", "declined", "voided", "expired"].includes(status);

/** of an envelope */
export const MOST_RECIPIENTS = 100;
