import type { Recipient } from "@countersign/client/types";

/** Actions for one recipient that open a dialog. */
export type RecipientAction = "link" | "change" | "questions" | "remove";

/** A recipient of a sent envelope. Only members who may act for a recipient see the slug. */
export type SentRecipient = Recipient & { readonly slug: string; readonly recipient_id: string };
export const isSent = (one: Recipient | undefined): one is SentRecipient =>
  one !== undefined && one.slug !== null && one.recipient_id !== null;

export interface RecipientDialogProps {
  readonly envelope_id: string;
  readonly recipient: SentRecipient;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}
