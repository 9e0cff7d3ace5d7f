import { sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import { encrypt, newToken } from "../shared/secrets.ts";

export interface Message {
  /** null for mail that belongs to a person, not to an org: nobody's admins may read it */
  readonly org: OrgId | null;
  readonly kind: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** past this the message is not worth sending, and its text is forgotten */
  readonly expires_at: Date;
}

export interface MailDeps {
  readonly mailKey: Uint8Array;
}

/** Puts a message into the outbox of mail, in the caller's transaction. Its text is encrypted: it holds links that open accounts. */
export async function queueMail(deps: MailDeps, tx: Tx, message: Message): Promise<void> {
  const context = newToken();
  const body = encrypt(deps.mailKey, JSON.stringify({ subject: message.subject, text: message.text }), context);
  await tx.query(sql`
    insert into mail_messages (org_id, kind, to_address, body_context, body_enc, expires_at)
    values (${message.org}, ${message.kind}, ${message.to}, ${context}, ${body}, ${message.expires_at})`);
}
