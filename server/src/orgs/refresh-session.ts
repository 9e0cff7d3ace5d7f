import { createHmac } from "node:crypto";
import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx, Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import { endSessionSeries } from "./end-session-series.ts";
import { after, type OrgDeps, REFRESH_IDLE_SECONDS } from "./org.ts";
import { signSessionToken } from "./session-token.ts";
import { type SignedIn, startSession } from "./start-session.ts";
import {
  endSession,
  ensureRefreshToken,
  findOrg,
  findUser,
  type LockedRefresh,
  listMemberships,
  lockRefresh,
  lookUpRefreshToken,
  markRefreshTokenUsed,
  recordMove,
} from "./store.ts";

// A page that is reloaded during a refresh never receives the response and still has the old cookie. A repeated request gets the same
// successor, so a stolen cookie cannot start a second series of tokens: its next use is detected.
const LOST_ANSWER_SECONDS = 10;

export interface Refreshing {
  /** switches to another org of the person, in a new session */
  readonly org_id?: OrgId | undefined;
  /** sent as a cookie; a browser sends it again if it did not receive the response */
  readonly byCookie?: boolean;
}

/**
 * Returns a new access token and the next refresh token, and marks the old one as used. If it was used before, two parties have it, so the
 * session ends, and with it every session that it switched to.
 */
export async function refreshSession(
  deps: OrgDeps,
  visitor: Visitor,
  refresh_token: string,
  { org_id, byCookie = false }: Refreshing = {},
): Promise<SignedIn> {
  const token_hash = sha256(refresh_token);
  // The end of a reused session must be recorded, so the transaction commits before the problem is thrown.
  const signed = await deps.db.system(async (tx) => {
    const found = await lookUpRefreshToken(tx, token_hash);
    if (found === null) return null;
    const held = await tx.forOrg(found.org_id, () => lockRefresh(tx, found.org_id, token_hash));
    if (held === null) return null;
    const repeats = byCookie && held.used_at !== null && held.used_at > after(tx.now, -LOST_ANSWER_SECONDS);
    if (held.used_at !== null && !repeats) {
      await endSessionSeries(tx, visitor, { org_id: found.org_id, session_id: held.session_id }, "session.reuse_detected");
      return null;
    }
    if (!isLive(held, tx.now)) return null;
    if (!repeats) await tx.forOrg(found.org_id, () => markRefreshTokenUsed(tx, found.org_id, token_hash));
    if (org_id !== undefined && org_id !== found.org_id) return move(deps, tx, visitor, found.org_id, held, org_id);
    return tx.forOrg(found.org_id, () => renew(deps, tx, found.org_id, held, successorOf(deps, refresh_token)));
  });
  if (signed === null) throw new Problem("invalid_refresh_token");
  return signed;
}

type Live = LockedRefresh & { readonly role: NonNullable<LockedRefresh["role"]> };

function isLive(held: LockedRefresh, now: Date): held is Live {
  return held.ended_at === null && held.role !== null && held.expires_at > now && held.idle_until > now;
}

/** A token always has the same successor, so a session never has two series of tokens. */
function successorOf(deps: OrgDeps, refresh_token: string): string {
  return createHmac("sha256", deps.keys.refresh).update(refresh_token).digest("base64url");
}

async function renew(deps: OrgDeps, tx: Tx, org: OrgId, held: Live, refresh_token: string): Promise<SignedIn> {
  await ensureRefreshToken(tx, org, held.session_id, sha256(refresh_token), after(tx.now, REFRESH_IDLE_SECONDS));
  const claims = { session_id: held.session_id, user_id: held.user_id, org_id: org, role: held.role };
  const signed = await signSessionToken(deps, claims, tx.now);
  const user = await findUser(tx, held.user_id);
  return { ...signed, session_id: held.session_id, refresh_token, user, org: { ...(await findOrg(tx, org)), role: held.role } };
}

/** The new session ends when the old one would have, so that switching orgs cannot extend a session. */
async function move(deps: OrgDeps, tx: SystemTx, visitor: Visitor, from: OrgId, held: Live, org_id: OrgId): Promise<SignedIn> {
  const to = (await listMemberships(tx, held.user_id)).find((membership) => membership.org_id === org_id);
  if (to === undefined) throw new Problem("invalid_refresh_token", "not a member of that org");
  const user = await findUser(tx, held.user_id);
  const signed = await tx.forOrg(to.org_id, () =>
    startSession(deps, tx, visitor, user, to, { ends_at: held.expires_at, device_id: held.device_id }),
  );
  await tx.forOrg(from, async () => {
    await recordMove(tx, from, held.session_id, { org_id: to.org_id, session_id: signed.session_id });
    await endSession(tx, from, held.session_id);
    const by = { ...visitor, actor: { kind: "user", id: held.user_id } as const };
    await appendAudit(tx, from, { type: "session.ended", by, data: { session_id: held.session_id } });
  });
  return signed;
}
