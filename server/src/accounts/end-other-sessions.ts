import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import type { Member } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import type { AccountDeps } from "./account.ts";
import { holdSession } from "./hold-session.ts";
import { endSessionsOfMember, listMemberships, lookUpLiveOrg } from "./store.ts";

/**
 * Ends all sessions of the person except this one, in each of their organizations and its sandboxes. A session of single sign-on, which an organization's
 * provider could have begun, ends only those in its own. Returns how many ended.
 */
export async function endOtherSessions(deps: AccountDeps, member: Member): Promise<number> {
  const { user_id, sso } = member.session;
  return deps.db.system(async (tx) => {
    // Log-ins lock the person too: one that is in progress commits first and is ended here. Of two sessions that end each other, one stays.
    await holdSession(tx, member);
    const orgs =
      sso === undefined ? (await listMemberships(tx, user_id)).map(({ org_id }) => org_id) : [await lookUpLiveOrg(tx, member.org)];
    return endOthersIn(tx, member, orgs);
  });
}

/** The same for some organizations, in a transaction that holds the session. */
export async function endOthersIn(tx: SystemTx, member: Member, orgs: readonly OrgId[]): Promise<number> {
  const { user_id, session_id } = member.session;
  const ended: { readonly org: OrgId; readonly count: number }[] = [];
  for (const org of orgs) {
    const count = await tx.forOrg(org, () => endSessionsOfMember(tx, org, user_id, session_id));
    if (count > 0) ended.push({ org, count });
  }
  // After all sessions, because a chain is the last thing that a transaction locks.
  for (const { org, count } of ended)
    await tx.forOrg(org, () => appendAudit(tx, org, { type: "sessions.ended", by: member, data: { user_id, ended: count } }));
  return ended.reduce((sum, { count }) => sum + count, 0);
}
