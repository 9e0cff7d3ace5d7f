import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { after, type OrgDeps, REFRESH_IDLE_SECONDS } from "./org.ts";
import { signSessionToken } from "./session-token.ts";
import { type SignedIn, startSession } from "./start-session.ts";
import {
  endSession,
  findOrg,
  findUser,
  insertRefreshToken,
  type LockedRefresh,
  listMemberships,
  lockRefresh,
  lookUpRefreshToken,
  spendRefreshToken,
} from "./store.ts";

/**
 * A new access token and a new refresh token; the old one is spent. One that was spent before is in two hands: the whole
 * session ends. With `org_id` the person moves to another of their orgs, in a session of its own.
 */
export async function refreshSession(deps: OrgDeps, visitor: Visitor, refresh_token: string, org_id?: OrgId): Promise<SignedIn> {
  const token_hash = sha256(refresh_token);
  const found = await deps.db.lease((read) => lookUpRefreshToken(read, token_hash));
  if (found === null) throw new Problem("invalid_refresh_token");
  // The reuse must be recorded, so the transaction commits first and the refusal comes after it.
  const outcome = await deps.db.tx(found.org_id, async (tx) => {
    const held = await lockRefresh(tx, found.org_id, token_hash);
    if (held === null || held.ended_at !== null || held.role === null) return null;
    if (held.used_at !== null) return endReused(tx, found.org_id, visitor, held);
    if (held.expires_at <= tx.now || held.idle_until <= tx.now) return null;
    await spendRefreshToken(tx, found.org_id, token_hash);
    if (org_id !== undefined && org_id !== found.org_id) return leaveFor(tx, found.org_id, visitor, held, org_id);
    return renew(deps, tx, found.org_id, { ...held, role: held.role });
  });
  if (outcome === null) throw new Problem("invalid_refresh_token");
  if (!("moving" in outcome)) return outcome;
  const { user, to } = outcome.moving;
  return deps.db.tx(to.org_id, (tx) => startSession(deps, tx, visitor, user, to));
}

async function renew(
  deps: OrgDeps,
  tx: Tx,
  org: OrgId,
  held: LockedRefresh & { role: NonNullable<LockedRefresh["role"]> },
): Promise<SignedIn> {
  const refresh_token = newToken();
  await insertRefreshToken(tx, org, held.session_id, sha256(refresh_token), after(tx.now, REFRESH_IDLE_SECONDS));
  const claims = { session_id: held.session_id, user_id: held.user_id, org_id: org, role: held.role };
  const signed = await signSessionToken(deps, claims, tx.now);
  return { ...signed, refresh_token, user: await findUser(tx, held.user_id), org: { ...(await findOrg(tx, org)), role: held.role } };
}

async function endReused(tx: Tx, org: OrgId, visitor: Visitor, held: LockedRefresh): Promise<null> {
  await endSession(tx, org, held.session_id);
  const by = { ...visitor, actor: { kind: "user", id: held.user_id } as const };
  await appendAudit(tx, org, { type: "session.reuse_detected", by, data: { session_id: held.session_id } });
  return null;
}

async function leaveFor(tx: Tx, org: OrgId, visitor: Visitor, held: LockedRefresh, org_id: OrgId) {
  const to = (await listMemberships(tx, held.user_id)).find((membership) => membership.org_id === org_id);
  if (to === undefined) throw new Problem("invalid_refresh_token", "not a member of that org");
  await endSession(tx, org, held.session_id);
  const by = { ...visitor, actor: { kind: "user", id: held.user_id } as const };
  await appendAudit(tx, org, { type: "session.ended", by, data: { session_id: held.session_id } });
  return { moving: { user: await findUser(tx, held.user_id), to } };
}
