import type { EnvelopeStatus } from "@countersign/client/types";

/** Not sent yet: its sender may change it. */
export const isDraft = (status: EnvelopeStatus): boolean => status === "pending" || status === "uploaded" || status === "preparing";
/** With its signers. */
export const isOpen = (status: EnvelopeStatus): boolean => status === "sent" || status === "viewed";
/** Nothing changes it by itself any more. */
export const isOver = (status: EnvelopeStatus): boolean => ["vaulted", "declined", "voided", "expired"].includes(status);
