import type { Jobs } from "../jobs/catalogue.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { after, type OrgDeps } from "./org.ts";
import { findOrg, lookUpMemberEmail } from "./store.ts";

const WORTH_SENDING_SECONDS = 7 * 24 * 3600;

/** To somebody who sent an envelope, say. Who has left the org does not hear of it any more. */
export async function notifyMember(deps: OrgDeps, { org_id, user_id, ...words }: Jobs["orgs.notify-member"]): Promise<void> {
  await deps.db.tx(org_id, async (tx) => {
    const to = await lookUpMemberEmail(tx, org_id, user_id);
    if (to === null) return;
    const { name: org_name } = await findOrg(tx, org_id);
    await queueMail(deps.mail, tx, org_id, { ...words, to, org_name, expires_at: after(tx.now, WORTH_SENDING_SECONDS) });
  });
}
