import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Words } from "../mail/message.ts";
import { type BatchId, type EnvelopeId, newId, type OrgId, type UserId } from "../shared/ids.ts";
import type { News } from "./notification.ts";
import { insertNotification, listAddressees } from "./store.ts";

/** About an envelope or a bulk send, and who looks after it. */
interface About {
  readonly envelope_id?: EnvelopeId;
  readonly batch_id?: BatchId;
  /** the members to ask in turn: the sender, then the owner. If none is a member any more, every admin is notified */
  readonly people: readonly (UserId | null)[];
}

/** Notifies in the caller's transaction: in the console, by e-mail, or not at all, as each person wants it. */
export async function appendNotification(tx: Tx, org: OrgId, about: About, news: News, mail: Words): Promise<void> {
  const { envelope_id = null, batch_id = null, people } = about;
  const { kind, subject, text, html } = mail;
  for (const addressee of await listAddressees(tx, org, people, news.kind)) {
    const { user_id } = addressee;
    const notification_id = newId("notification", tx.now.getTime());
    if (addressee.console) await insertNotification(tx, org, { notification_id, user_id, envelope_id, batch_id, news });
    if (addressee.mail) await enqueue(tx, "orgs.notify-member", { org_id: org, user_id, kind, subject, text, html });
  }
}
