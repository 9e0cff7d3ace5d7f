import type { Jobs } from "../jobs/catalogue.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { after, type OrgDeps } from "./org.ts";
import { listAdminEmails } from "./store.ts";

const WORTH_SENDING_SECONDS = 7 * 24 * 3600;

/** One message per admin. A second run of the job sends a second copy: better twice than never. */
export async function notifyAdmins(deps: OrgDeps, { org_id, kind, subject, text }: Jobs["orgs.notify-admins"]): Promise<void> {
  await deps.db.tx(org_id, async (tx) => {
    for (const to of await listAdminEmails(tx, org_id)) {
      await queueMail({ mailKey: deps.keys.mail }, tx, {
        org: org_id,
        kind,
        to,
        subject,
        text,
        expires_at: after(tx.now, WORTH_SENDING_SECONDS),
      });
    }
  });
}
