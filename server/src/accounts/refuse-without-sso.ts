import { appendAudit } from "../audit/append-audit.ts";
import type { Read, Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Caller, Origin } from "../shared/caller.ts";
import type { OrgId, SessionId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { User } from "./account.ts";
import { type LogInRule, lookUpLogInRule } from "./policy-store.ts";

/** Log-ins without single sign-on to organizations that require it, or to a membership that single sign-on made. */

/** Throws 403 with the connection to use instead. */
export async function refuseWithoutSso(read: Read, org: OrgId, { user_id }: Pick<User, "user_id">): Promise<LogInRule | null> {
  const rule = await lookUpLogInRule(read, org, user_id);
  if (rule?.needs_sso === true) throw ssoRequired(rule);
  return rule;
}

export function ssoRequired({ connection_id }: Pick<LogInRule, "connection_id">): Problem {
  const message = connection_id === null ? "no connection is active. Ask an admin" : "begin with POST /auth/sso/start";
  const detail = {
    location: "request",
    field: null,
    code: "sso_required",
    message,
    ...(connection_id !== null && { connection_id }),
  } as const;
  return new Problem("sso_required", "", { details: [detail] });
}

/** A break-glass log-in is rare, so all admins are told of each. */
export async function reportBreakGlass(
  tx: Tx,
  org_id: OrgId,
  by: Pick<Caller, "actor"> & Origin,
  user: User,
  session_id: SessionId,
): Promise<void> {
  await appendAudit(tx, org_id, { type: "break_glass.used", by, data: { user_id: user.user_id, session_id } });
  await enqueue(tx, "orgs.notify-admins", {
    org_id,
    kind: "break_glass_used",
    subject: "Log-in without single sign-on",
    text: `${user.name} (${user.email}) logged in to your organization without single sign-on, which it requires. This member is one of its break-glass admins.\n\nIP address: ${by.ip}\n\nIf you did not expect this, end the member's sessions on the Members page and ask them.`,
  });
}
