import { createHmac } from "node:crypto";
import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx, Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import { endLine } from "./end-line.ts";
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
  noteMove,
  spendRefreshToken,
} from "./store.ts";

// A page that is loaded again while the answer is on its way never hears it, and its cookie is the old one still. A repeat gets the same
// successor, so a stolen cookie leads to no line of its own: its next use shows.
const LOST_ANSWER_SECONDS = 10;

export interface Refreshing {
  /** with it the person moves to another of their orgs, in a session of its own */
  readonly org_id?: OrgId | undefined;
  /** it came as a cookie: a browser sends it again when it did not hear the answer */
  readonly byCookie?: boolean;
}

/**
 * A new access token and the next refresh token; the old one is spent. One that was spent before is in two hands: the whole
 * session ends, and those it moved on to.
 */
export async function refreshSession(
  deps: OrgDeps,
  visitor: Visitor,
  refresh_token: string,
  { org_id, byCookie = false }: Refreshing = {},
): Promise<SignedIn> {
  const token_hash = sha256(refresh_token);
  // The end of a reused session must be recorded, so the transaction commits first and the refusal comes after it.
  const signed = await deps.db.system(async (tx) => {
    const found = await lookUpRefreshToken(tx, token_hash);
    if (found === null) return null;
    const held = await tx.forOrg(found.org_id, () => lockRefresh(tx, found.org_id, token_hash));
    if (held === null) return null;
    const repeats = byCookie && held.used_at !== null && held.used_at > after(tx.now, -LOST_ANSWER_SECONDS);
    if (held.used_at !== null && !repeats) {
      await endLine(tx, visitor, { org_id: found.org_id, session_id: held.session_id }, "session.reuse_detected");
      return null;
    }
    if (!isLive(held, tx.now)) return null;
    if (!repeats) await tx.forOrg(found.org_id, () => spendRefreshToken(tx, found.org_id, token_hash));
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

/** A token has one successor, however often it is asked for: a session is one line of tokens and never two. */
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

/** The new session ends when the old one would have: moving to and fro must not make a session live for ever. */
async function move(deps: OrgDeps, tx: SystemTx, visitor: Visitor, from: OrgId, held: Live, org_id: OrgId): Promise<SignedIn> {
  const to = (await listMemberships(tx, held.user_id)).find((membership) => membership.org_id === org_id);
  if (to === undefined) throw new Problem("invalid_refresh_token", "not a member of that org");
  const user = await findUser(tx, held.user_id);
  const signed = await tx.forOrg(to.org_id, () =>
    startSession(deps, tx, visitor, user, to, { ends_at: held.expires_at, device_id: held.device_id }),
  );
  await tx.forOrg(from, async () => {
    await noteMove(tx, from, held.session_id, { org_id: to.org_id, session_id: signed.session_id });
    await endSession(tx, from, held.session_id);
    const by = { ...visitor, actor: { kind: "user", id: held.user_id } as const };
    await appendAudit(tx, from, { type: "session.ended", by, data: { session_id: held.session_id } });
  });
  return signed;
}
