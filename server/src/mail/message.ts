import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import type { MessageId, OrgId } from "../shared/ids.ts";
import type { Smtp } from "./smtp.ts";

export interface MailDeps {
  readonly db: Db;
  readonly mailKey: Uint8Array;
  /** null: nobody sends, and an org's admins read its mail in the outbox */
  readonly smtp: Smtp | null;
}

/** What attempts need besides. */
export interface SendingDeps extends MailDeps {
  /** called in the transaction that records the failure: `about` and `to` are those of the message */
  readonly onFailed: (tx: Tx, org: OrgId, failed: { readonly about: string; readonly to: string }) => Promise<void>;
}

/** What a message says, both parts with the same words. */
export interface Words {
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Message extends Words {
  readonly to: string;
  /** in whose name it is sent; null for mail of the installation itself */
  readonly org_name: string | null;
  readonly reply_to?: string;
  /** an id of what it tells of: the message can be withdrawn by it while it waits, and the sender is told if the message fails */
  readonly about?: string;
  /** past this the message is not worth sending, and its text is forgotten */
  readonly expires_at: Date;
}

/** The part of a message that is encrypted while it waits. Those from before HTML have none. */
export interface Body {
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly org_name?: string | null;
  readonly reply_to?: string;
}

export const states = ["queued", "sent", "failed"] as const;
export type State = (typeof states)[number];

export interface StoredMessage {
  readonly message_id: MessageId;
  readonly kind: string;
  readonly to_address: string;
  readonly state: State;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly last_error: string | null;
  readonly body_context: string;
  /** null once it was sent, refused for good, or has expired */
  readonly body_enc: Uint8Array | null;
}
