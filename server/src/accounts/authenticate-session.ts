import type { Leased, Read } from "../db/sql.ts";
import type { Admission, Rights } from "../http/authenticate.ts";
import type { Caller, Origin } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { scopesOfRole } from "../shared/scopes.ts";
import { type AccountDeps, SESSION_CALLS_PER_MINUTE } from "./account.ts";
import { verifySessionToken } from "./session-token.ts";
import { lookUpLiveRole, useSession } from "./store.ts";

/** The role comes from the database, not from the token, so sign-out, demotion and removal take effect on the next request. */
export async function authenticateSession(
  deps: Pick<AccountDeps, "keys" | "publicUrl">,
  read: Leased,
  token: string,
  from: Pick<Origin, "ip" | "user_agent">,
): Promise<Admission | null> {
  const claims = await verifySessionToken(deps, token);
  if (claims === null) return null;
  const { session_id } = claims;
  const row = await useSession(read, session_id, SESSION_CALLS_PER_MINUTE, from);
  if (row === null) return null;
  await read.enter(row.org_id);
  return {
    org: row.org_id,
    actor: { kind: "user", id: row.user_id },
    scopes: scopesOfRole(row.role),
    session: {
      session_id,
      user_id: row.user_id,
      role: row.role,
      ...(row.limited && { limited: "enroll" as const }),
      ...(row.sso_connection !== null && { sso: row.sso_connection }),
    },
    accepted: row.accepted,
    quota: { limit: row.quota, remaining: row.remaining, reset: Number(row.reset_at) },
    expires_at: null,
    confirmed: row.confirmed,
  };
}

/** What the session may do by now; null if it has ended. The request was counted when it was admitted. */
export async function recheckSession(
  read: Read,
  org: OrgId,
  session: NonNullable<Caller["session"]>,
  { ip }: Pick<Origin, "ip">,
): Promise<Rights | null> {
  const role = await lookUpLiveRole(read, org, session.session_id, ip);
  return role === null ? null : { scopes: scopesOfRole(role), session: { ...session, role } };
}
