import type { EnvelopeStatus } from "@countersign/client/types";

/** The states of an envelope in one word. A table of another language must have the same members. */
export const en = {
  pending: "Draft",
  uploaded: "Draft",
  preparing: "Draft",
  sent: "Sent",
  viewed: "Opened",
  completed: "Completed",
  vaulted: "Vaulted",
  declined: "Declined",
  voided: "Voided",
  expired: "Expired",
  /** a draft that was given up */
  discarded: "Discarded",
} satisfies Record<EnvelopeStatus | "discarded", string>;
