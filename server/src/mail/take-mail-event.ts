import type { SystemTx } from "../db/sql.ts";
import type { Origin } from "../shared/caller.ts";
import { isId, type MessageId } from "../shared/ids.ts";
import { appendMailEntry } from "./append-mail-entry.ts";
import type { SendingDeps } from "./message.ts";
import { lockEnvelopeOf, lookUpEnvelopeMail, type MailEventType, recordMailEvent, takeActBounce } from "./store.ts";

/** What a mail provider reports about a message that it accepted earlier. */
export interface MailEvent {
  /** our id, or the Message-ID header that contains it */
  readonly message_id: string;
  readonly event: MailEventType;
  /** when it happened, as reported */
  readonly at: string | null;
  readonly detail: string | null;
}

/**
 * Records a report in the audit trail of the message's envelope, once for each kind of event. Reports about unknown messages, and about
 * messages that were never handed to a mail server, leave no trace. The sender of the envelope is told about a bounce as about a refusal.
 */
export async function takeMailEvent(deps: SendingDeps, from: Origin, { message_id: named, event, at, detail }: MailEvent): Promise<void> {
  const message_id = messageIdIn(named);
  if (message_id === null) return;
  await deps.db.system(async (tx) => {
    const mail = await lookUpEnvelopeMail(tx, message_id);
    if (mail === null) return event === "bounced" ? reportBounce(deps, tx, message_id) : undefined;
    await tx.forOrg(mail.org_id, async (inside) => {
      await lockEnvelopeOf(inside, mail);
      if (!(await recordMailEvent(inside, message_id, event))) return;
      await appendMailEntry(inside, mail, { type: event, report: { at, detail }, from });
      if (event !== "bounced" || mail.about === null) return;
      await deps.onFailed(inside, mail.org_id, { about: mail.about, to: mail.to });
    });
  });
}

/** A request to a party that came back. */
async function reportBounce(deps: SendingDeps, tx: SystemTx, message_id: MessageId): Promise<void> {
  const bounced = await takeActBounce(tx, message_id);
  if (bounced === null) return;
  const { org_id, about, to_address: to } = bounced;
  await tx.forOrg(org_id, (inside) => deps.onFailed(inside, org_id, { about, to }));
}

/** `<msg_…@host>`, or a part of it. */
const HEADER_ID = /^<?([^@<>\s]+)(?:@[^@<>\s]+)?>?$/;

function messageIdIn(text: string): MessageId | null {
  const id = HEADER_ID.exec(text.trim())?.[1] ?? "";
  return isId("message", id) ? id : null;
}
