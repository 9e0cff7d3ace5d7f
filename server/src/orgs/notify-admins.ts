import { after } from "../accounts/account.ts";
import { findOrg } from "../accounts/store.ts";
import type { Jobs } from "../jobs/catalogue.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import { adminNotice } from "./messages.ts";
import type { OrgDeps } from "./org.ts";
import { listAdminEmails } from "./store.ts";

const WORTH_SENDING_SECONDS = 7 * DAY_SECONDS;

/** One message per admin. A second run of the job sends a second copy, which is better than none. */
export async function notifyAdmins(deps: OrgDeps, { org_id, kind, subject, text }: Jobs["orgs.notify-admins"]): Promise<void> {
  const words = adminNotice({ kind, subject, text });
  await deps.db.tx(org_id, async (tx) => {
    const { name: org_name } = await findOrg(tx, org_id);
    for (const to of await listAdminEmails(tx, org_id)) {
      await queueMail(deps.mail, tx, org_id, { ...words, to, org_name, expires_at: after(tx.now, WORTH_SENDING_SECONDS) });
    }
  });
}
