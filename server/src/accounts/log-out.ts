import { appendAudit } from "../audit/append-audit.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { Member, Origin } from "../shared/caller.ts";
import type { OrgId, SessionId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { AccountDeps } from "./account.ts";
import { verifySessionToken } from "./session-token.ts";
import { endSession, lookUpRefreshToken } from "./store.ts";

/** Ends the session of an access token or of a refresh token. Ending a session that has already ended is not an error. */
export async function logOut(deps: AccountDeps, visitor: Visitor, refresh_token: string | null): Promise<void> {
  if (visitor.bearer !== null) {
    const claims = await verifySessionToken(deps, visitor.bearer);
    if (claims !== null) await end(deps, visitor, claims.org_id, claims.session_id);
  }
  if (refresh_token === null) return;
  const found = await deps.db.lease((read) => lookUpRefreshToken(read, sha256(refresh_token)));
  if (found !== null) await end(deps, visitor, found.org_id, found.session_id);
}

/** Ends one of the caller's own sessions. Other people's sessions are not found. */
export async function endOwnSession(deps: AccountDeps, member: Member, session_id: SessionId): Promise<void> {
  if (!(await end(deps, member, member.org, session_id, member.session.user_id))) throw new Problem("session_not_found");
}

async function end(deps: AccountDeps, by: Origin, org: OrgId, session_id: SessionId, only_of: UserId | null = null): Promise<boolean> {
  return deps.db.tx(org, async (tx) => {
    const user_id = await endSession(tx, org, session_id, only_of);
    if (user_id === null) return false;
    const actor = { kind: "user", id: user_id } as const;
    await appendAudit(tx, org, { type: "session.ended", by: { ...by, actor }, data: { session_id } });
    return true;
  });
}
