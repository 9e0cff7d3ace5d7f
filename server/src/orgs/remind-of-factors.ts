import { factorRequiredMail } from "../accounts/messages.ts";
import { lookUpFactorDue } from "../accounts/policy-store.ts";
import { findOrg, findUser } from "../accounts/store.ts";
import type { Tx } from "../db/sql.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import type { OrgDeps } from "./org.ts";
import { listFactorReminders, listMembersInNeed, markReminded } from "./security-store.ts";

/** Runs every hour: members without a second factor get an e-mail a day before they need one. Returns how many were reminded. */
export async function remindOfFactors(deps: OrgDeps): Promise<number> {
  const due = await deps.db.system((tx) => listFactorReminders(tx));
  let reminded = 0;
  for (const { org_id, user_id } of due) {
    const isReminded = await deps.db.tx(org_id, async (tx) => {
      // Of two workers, one mails.
      if (!(await markReminded(tx, org_id, user_id))) return false;
      return tellOfFactor(deps, tx, org_id, user_id);
    });
    if (isReminded) reminded++;
  }
  return reminded;
}

/** An organization that required no second factor does so now: every member without one is told by when they need it. */
export async function tellMembersInNeed(deps: OrgDeps, tx: Tx, org: OrgId): Promise<void> {
  for (const user_id of await listMembersInNeed(tx, org)) await tellOfFactor(deps, tx, org, user_id);
}

/** False if the member needs none any more. */
async function tellOfFactor(deps: OrgDeps, tx: Tx, org: OrgId, user_id: UserId): Promise<boolean> {
  const due = await lookUpFactorDue(tx, org, user_id);
  if (due === null) return false;
  const [{ name }, { email: to }] = [await findOrg(tx, org), await findUser(tx, user_id)];
  const isDue = due <= tx.now;
  const words = factorRequiredMail(name, isDue ? null : due, `${deps.publicUrl}/console/account`);
  // Without days of grace, the message is still true a week later.
  const expires_at = isDue ? new Date(tx.now.getTime() + WEEK_MS) : due;
  await queueMail(deps.mail, tx, null, { ...words, to, org_name: null, expires_at });
  return true;
}

const WEEK_MS = 7 * DAY_MS;
