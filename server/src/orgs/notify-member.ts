import { after } from "../accounts/account.ts";
import { findOrg } from "../accounts/store.ts";
import type { Jobs } from "../jobs/catalogue.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { OrgDeps } from "./org.ts";
import { listAdminEmails, lookUpMemberEmail } from "./store.ts";

const WORTH_SENDING_SECONDS = 7 * DAY_SECONDS;

/** For example to the sender of an envelope. If they have left the org, its admins get the message, because someone there has to act on it. */
export async function notifyMember(deps: OrgDeps, { org_id, user_id, ...words }: Jobs["orgs.notify-member"]): Promise<void> {
  await deps.db.tx(org_id, async (tx) => {
    const member = await lookUpMemberEmail(tx, org_id, user_id);
    const { name: org_name } = await findOrg(tx, org_id);
    for (const to of member === null ? await listAdminEmails(tx, org_id) : [member]) {
      await queueMail(deps.mail, tx, org_id, { ...words, to, org_name, expires_at: after(tx.now, WORTH_SENDING_SECONDS) });
    }
  });
}
