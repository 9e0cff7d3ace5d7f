import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { type MessageId, newId, type OrgId } from "../shared/ids.ts";
import { sealBody } from "./body.ts";
import type { MailDeps, Message } from "./message.ts";
import { insertMessage, withdrawMessages } from "./store.ts";

/**
 * Puts a message into the outbox of mail, in the caller's transaction, and the job that sends it. `org` is null for mail that
 * belongs to a person (reset, invitation), which nobody's admins may read.
 */
export async function queueMail(deps: Pick<MailDeps, "mailKey" | "smtp">, tx: Tx, org: OrgId | null, message: Message): Promise<MessageId> {
  const { kind, to, expires_at, subject, text, html, org_name, reply_to, about = null } = message;
  const body = { subject, text, html, org_name, ...(reply_to === undefined ? {} : { reply_to }) };
  const message_id = newId("message", tx.now.getTime());
  await insertMessage(tx, org, { message_id, kind, to_address: to, expires_at, about, ...sealBody(deps.mailKey, body) });
  // Once there is a mail server, the sweep finds what waited for it.
  if (deps.smtp !== null) await enqueue(tx, "mail.send", { message_id });
  return message_id;
}

/** What still waits and has become untrue does not go out: all that is about this, or what of it is for one address. */
export function withdrawMail(tx: Tx, about: string, to: string | null = null): Promise<void> {
  return withdrawMessages(tx, about, to);
}
