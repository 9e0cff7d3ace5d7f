import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import type { MayLeave } from "../shared/departures.ts";
import { type EnvelopeId, isSandbox, type MessageId, type OrgId } from "../shared/ids.ts";
import type { KeyRing } from "../shared/secrets.ts";
import type { SenderDeps } from "./sender/sender.ts";
import type { Attachment, Smtp } from "./smtp.ts";

export interface MailDeps {
  readonly db: Db;
  readonly mailKey: KeyRing;
  /** null without a mail server: messages wait, and admins read their organization's messages in the outbox */
  readonly smtp: Smtp | null;
}

/** Whether messages of the organization reach people. Those of a sandbox reach its outbox, where the people who test read them. */
export const reachesPeople = ({ smtp }: Pick<MailDeps, "smtp">, org: OrgId): boolean => smtp !== null || isSandbox(org);

/** Also needed to send. */
export interface SendingDeps extends SenderDeps {
  readonly mayLeave: MayLeave;
  /** called in the transaction that records the failure or the bounce: `about` and `to` are those of the message */
  readonly onFailed: (tx: Tx, org: OrgId, failed: { readonly about: string; readonly to: string }) => Promise<void>;
  /**
   * The files of a completed envelope for one recipient, who is recorded as having them. Empty if they are larger than what may be attached
   * or cannot be made now; the message then has only its link.
   */
  readonly attach: (org: OrgId, envelope_id: EnvelopeId, to: string) => Promise<readonly Attachment[]>;
}

/** The content of a message. Text and HTML say the same. */
export interface Words {
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Message extends Words {
  readonly to: string;
  /** shown as the sender; null for messages from the installation itself */
  readonly org_name: string | null;
  /** the member who sends, shown before the organization */
  readonly sender_name?: string;
  readonly reply_to?: string;
  /** the text and HTML to send instead if the signed document of the envelope can be attached */
  readonly attaching?: Pick<Words, "text" | "html">;
  /** the id of its subject, such as an envelope: the message can be withdrawn by it while it waits, and the sender is told if the message fails */
  readonly about?: string;
  /** the envelope whose audit trail records what mail servers say about the message */
  readonly envelope_id?: EnvelopeId;
  /** after this time the message is not sent and its text is erased */
  readonly expires_at: Date;
}

/** The part of a message that is encrypted while it waits. Messages queued by versions without HTML have no `html`. */
export interface Body {
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly org_name?: string | null;
  readonly sender_name?: string;
  readonly reply_to?: string;
  readonly attaching?: Pick<Words, "text" | "html">;
}

export const states = ["queued", "sent", "failed"] as const;
export type State = (typeof states)[number];

/** A message about an envelope. */
export interface EnvelopeMail {
  readonly message_id: MessageId;
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  readonly kind: string;
  readonly to: string;
  /** null: no one is told if it cannot be delivered */
  readonly about: string | null;
}

export interface StoredMessage {
  readonly message_id: MessageId;
  readonly kind: string;
  readonly to_address: string;
  readonly state: State;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly last_error: string | null;
  readonly body_context: string;
  /** null after the message was sent, failed or expired */
  readonly body_enc: Uint8Array | null;
}
