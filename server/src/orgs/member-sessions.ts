import { after } from "../accounts/account.ts";
import { mailFactorReset } from "../accounts/factor-reset.ts";
import { sessionsEndedMail } from "../accounts/messages.ts";
import { endSession, endSessionsOfMember, endSessionsOfOrg, findOrg, findUser, listMemberships } from "../accounts/store.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx, Tx } from "../db/sql.ts";
import { queueMail } from "../mail/queue-mail.ts";
import type { Member } from "../shared/caller.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { OrgId, SessionId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { lookUpOwnDomain } from "./domain-store.ts";
import type { OrgDeps } from "./org.ts";
import { listMembersWithFactor } from "./security-store.ts";
import { hasMember } from "./store.ts";

/** What admins can do about the sessions and second factors of members. Sessions in other organizations stay as they are. */

const WORTH_SENDING_SECONDS = 7 * DAY_SECONDS;

export async function endMemberSession(deps: OrgDeps, admin: Member, user_id: UserId, session_id: SessionId): Promise<void> {
  await deps.db.tx(admin.org, async (tx) => {
    if ((await endSession(tx, admin.org, session_id, user_id)) === null) throw new Problem("session_not_found");
    await appendAudit(tx, admin.org, { type: "session.ended", by: admin, data: { session_id, user_id } });
    await tellPerson(deps, tx, admin, user_id);
  });
}

/** Returns how many ended. */
export async function endMemberSessions(deps: OrgDeps, admin: Member, user_id: UserId): Promise<number> {
  return deps.db.tx(admin.org, async (tx) => {
    if (!(await hasMember(tx, admin.org, user_id))) throw new Problem("member_not_found");
    const ended = await endSessionsOfMember(tx, admin.org, user_id);
    if (ended === 0) return 0;
    await appendAudit(tx, admin.org, { type: "sessions.ended", by: admin, data: { user_id, ended } });
    await tellPerson(deps, tx, admin, user_id);
    return ended;
  });
}

/** Ends all sessions of the organization but the admin's own. Returns how many ended. */
export async function endAllSessions(deps: OrgDeps, admin: Member): Promise<number> {
  return deps.db.tx(admin.org, async (tx) => {
    const people = await endSessionsOfOrg(tx, admin.org, admin.session.session_id);
    const ended = people.reduce((sum, one) => sum + one.ended, 0);
    if (ended === 0) return 0;
    await appendAudit(tx, admin.org, { type: "sessions.ended", by: admin, data: { user_id: null, ended } });
    for (const { user_id } of people) await tellPerson(deps, tx, admin, user_id);
    return ended;
  });
}

/** Admins know what they did themselves. */
async function tellPerson(deps: OrgDeps, tx: Tx, admin: Member, user_id: UserId): Promise<void> {
  if (user_id === admin.session.user_id) return;
  const { name } = await findOrg(tx, admin.org);
  const { email: to } = await findUser(tx, user_id);
  await queueMail(deps.mail, tx, null, {
    ...sessionsEndedMail(name),
    to,
    org_name: null,
    expires_at: after(tx.now, WORTH_SENDING_SECONDS),
  });
}

/**
 * Mails the member a link that removes their second factors, with their password. Only for people who are in no other organization, or whose
 * address is in a domain that the organization has verified: an organization must not weaken the log-in to another one.
 */
export async function requestFactorReset(deps: OrgDeps, admin: Member, user_id: UserId, reason: string): Promise<void> {
  await deps.db.system(async (tx) => {
    const { org_name, hasFactor, isOwnDomain } = await tx.forOrg(admin.org, () => aboutMember(tx, admin.org, user_id));
    if (!hasFactor) throw new Problem("member_without_factor");
    if (!isOwnDomain && (await listMemberships(tx, user_id)).length > 1) throw new Problem("operator_only");
    await tx.forOrg(admin.org, () => appendAudit(tx, admin.org, { type: "factor.reset_requested", by: admin, data: { user_id, reason } }));
    await mailFactorReset(deps, tx, user_id, org_name);
  });
}

interface AboutMember {
  readonly org_name: string;
  readonly hasFactor: boolean;
  readonly isOwnDomain: boolean;
}

async function aboutMember(tx: SystemTx, org: OrgId, user_id: UserId): Promise<AboutMember> {
  if (!(await hasMember(tx, org, user_id))) throw new Problem("member_not_found");
  return {
    org_name: (await findOrg(tx, org)).name,
    hasFactor: (await listMembersWithFactor(tx)).has(user_id),
    isOwnDomain: (await lookUpOwnDomain(tx, org, (await findUser(tx, user_id)).email)) !== null,
  };
}
