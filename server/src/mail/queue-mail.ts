import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { DAY_MS } from "../shared/durations.ts";
import { isSandbox, type MessageId, newId, type OrgId } from "../shared/ids.ts";
import { encryptBody } from "./body.ts";
import type { Body, MailDeps, Message } from "./message.ts";
import { insertMessage, withdrawMessages } from "./store.ts";

// Long enough to look at on the day after a weekend. Links in it may end earlier.
const CAPTURED_DAYS = 7;

/**
 * Stores a message and the job that sends it, in the caller's transaction. `org` is null for messages that belong to a person (password
 * reset, invitation), which no admin may read. A message of a sandbox is captured: it stays in the outbox and is never sent.
 */
export async function queueMail(deps: Pick<MailDeps, "mailKey" | "smtp">, tx: Tx, org: OrgId | null, message: Message): Promise<MessageId> {
  const {
    kind,
    to,
    expires_at,
    subject,
    text,
    html,
    org_name,
    sender_name,
    reply_to,
    attaching,
    about = null,
    envelope_id = null,
  } = message;
  const body: Body = {
    ...{ subject, text, html, org_name },
    ...(sender_name !== undefined && { sender_name }),
    ...(reply_to !== undefined && { reply_to }),
    ...(attaching !== undefined && { attaching: { text: attaching.text, html: attaching.html } }),
  };
  const message_id = newId("message", tx.now.getTime());
  const captured = org !== null && isSandbox(org);
  const until = captured ? new Date(tx.now.getTime() + CAPTURED_DAYS * DAY_MS) : expires_at;
  const row = { message_id, kind, to_address: to, expires_at: until, about, envelope_id, captured };
  await insertMessage(tx, org, { ...row, ...encryptBody(deps.mailKey, body) });
  // Without a mail server no job is queued. The sweep (`mail.resume`) sends waiting messages once there is one.
  if (deps.smtp !== null && !captured) await enqueue(tx, "mail.send", { message_id });
  return message_id;
}

/** Withdraws queued messages about a record that are no longer true, all of them or only those to one address. */
export function withdrawMail(tx: Tx, about: string, to: string | null = null): Promise<void> {
  return withdrawMessages(tx, about, to);
}
