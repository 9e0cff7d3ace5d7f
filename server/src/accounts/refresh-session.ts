import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx, Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { macsOf, sha256 } from "../shared/secrets.ts";
import { type AccountDeps, after, type Membership, REFRESH_IDLE_SECONDS } from "./account.ts";
import { endSessionSeries } from "./end-session-series.ts";
import { listFactors } from "./factor-store.ts";
import { findSessionPolicy, mustHaveFactor } from "./policy-store.ts";
import { refuseOtherAddress } from "./refuse-other-address.ts";
import { signSessionToken } from "./session-token.ts";
import { type SignedIn, startSession } from "./start-session.ts";
import {
  endSession,
  ensureRefreshToken,
  findOrg,
  findUser,
  isLetInBySso,
  isResetting,
  type LockedRefresh,
  listKnownTokens,
  listOrgsOf,
  lockPersonOf,
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
  /** sent as a cookie whose name has no prefix although the service is reached over https */
  readonly byOldCookie?: boolean;
}

/**
 * Returns a new access token and the next refresh token, and marks the old one as used. If it was used before, two parties have it, so the
 * session ends, and with it every session that it switched to.
 */
export async function refreshSession(
  deps: AccountDeps,
  visitor: Visitor,
  refresh_token: string,
  { org_id, byCookie = false, byOldCookie = false }: Refreshing = {},
): Promise<SignedIn> {
  const token_hash = sha256(refresh_token);
  // The end of a reused session must be recorded, so the transaction commits before the problem is thrown.
  const signed = await deps.db.system(async (tx) => {
    const found = await lookUpRefreshToken(tx, token_hash);
    if (found === null) return null;
    const moves = org_id !== undefined && org_id !== found.org_id;
    // Whatever ends all sessions of a person locks the person first. Otherwise it would end this session and overlook the new one.
    if (moves) await tx.forOrg(found.org_id, () => lockPersonOf(tx, found));
    const held = await tx.forOrg(found.org_id, () => lockRefresh(tx, found.org_id, token_hash));
    if (held === null) return null;
    // The session never had such a cookie: a neighbouring host planted it.
    if (byOldCookie && !held.cookie_without_prefix) return null;
    const repeats = byCookie && held.used_at !== null && held.used_at > after(tx.now, -LOST_ANSWER_SECONDS);
    if (held.used_at !== null && !repeats) {
      await endSessionSeries(tx, visitor, { org_id: found.org_id, session_id: held.session_id }, "session.reuse_detected");
      return null;
    }
    if (!isLive(held, tx.now)) return null;
    // Thrown before the token is used, so that the session goes on when the person is back at an address of the list.
    await tx.forOrg(found.org_id, () => refuseOtherAddress(tx, found.org_id, visitor));
    if (!repeats) await tx.forOrg(found.org_id, () => markRefreshTokenUsed(tx, found.org_id, token_hash));
    if (moves) return move(deps, tx, visitor, found.org_id, held, org_id);
    return tx.forOrg(found.org_id, async () =>
      renew(deps, tx, found.org_id, held, await successorOf(deps, tx, found.org_id, held, refresh_token)),
    );
  });
  if (signed === null) throw new Problem("invalid_refresh_token");
  return signed;
}

type Live = LockedRefresh & { readonly role: NonNullable<LockedRefresh["role"]> };

function isLive(held: LockedRefresh, now: Date): held is Live {
  return held.ended_at === null && held.holds && held.role !== null && held.expires_at > now && held.idle_until > now;
}

/** A token always has the same successor, so a session never has two series of tokens: one made under an earlier secret stays the successor. */
async function successorOf(deps: AccountDeps, tx: Tx, org: OrgId, { session_id }: LockedRefresh, refresh_token: string): Promise<string> {
  const [newest = "", ...others] = macsOf(deps.keys.refresh, refresh_token).map((mac) => mac.toString("base64url"));
  if (others.length === 0) return newest;
  const known = await listKnownTokens(tx, org, session_id, [newest, ...others].map(sha256));
  return [newest, ...others].find((token) => known.some((hash) => hash.equals(sha256(token)))) ?? newest;
}

async function renew(deps: AccountDeps, tx: Tx, org: OrgId, held: Live, refresh_token: string): Promise<SignedIn> {
  await ensureRefreshToken(tx, org, held.session_id, sha256(refresh_token), after(tx.now, REFRESH_IDLE_SECONDS));
  const claims = { session_id: held.session_id, user_id: held.user_id, org_id: org, role: held.role };
  const signed = await signSessionToken(deps, claims, tx.now);
  const user = await findUser(tx, held.user_id);
  const isSso = held.via.startsWith("sso:");
  const mustEnroll = !isSso && (await mustHaveFactor(tx, org, held.user_id));
  const { session_id, role, via } = held;
  return { ...signed, session_id, refresh_token, user, org: { ...(await findOrg(tx, org)), role }, mustEnroll, via };
}

/** The organization itself, or the one that it is a sandbox of. */
const liveOf = (all: readonly Required<Membership>[], org: OrgId): OrgId => all.find(({ org_id }) => org_id === org)?.sandbox_of ?? org;

/** The new session ends when the old one would have, so that switching orgs cannot extend a session. */
async function move(deps: AccountDeps, tx: SystemTx, visitor: Visitor, from: OrgId, held: Live, org_id: OrgId): Promise<SignedIn> {
  const all = await listOrgsOf(tx, held.user_id);
  const to = all.find((membership) => membership.org_id === org_id);
  if (held.via.startsWith("sso:")) {
    // The identity provider of one org must not open another one. A sandbox counts as its organization.
    const [live, other] = [liveOf(all, from), to === undefined ? null : liveOf(all, to.org_id)];
    if (live !== other) throw new Problem("managed_by_sso");
    const connection_id = held.via.slice("sso:".length);
    if (!(await tx.forOrg(live, () => isLetInBySso(tx, live, held.user_id, connection_id)))) throw new Problem("managed_by_sso");
  }
  if (to === undefined) throw new Problem("invalid_refresh_token", "not a member of that org");
  if (await isResetting(tx, to.org_id)) throw new Problem("sandbox_resetting");
  // The other org may not accept a browser instead of a factor, or a session that began before the person had one. Then they log in to it.
  const { remember_device_days, second_factor } = await tx.forOrg(org_id, () => findSessionPolicy(tx, org_id));
  const isUnproven = held.factors.length === 0 && second_factor === "required" && (await listFactors(tx, held.user_id)).length > 0;
  if (isUnproven || (held.factors.includes("device") && remember_device_days === 0))
    throw new Problem("invalid_refresh_token", "that org needs a second factor");
  const user = await findUser(tx, held.user_id);
  const signed = await tx.forOrg(to.org_id, () =>
    startSession(deps, tx, visitor, user, to, {
      ends_at: held.expires_at,
      device_id: held.device_id,
      factors: held.factors,
      confirmed_at: held.confirmed_at,
      via: held.via,
    }),
  );
  await tx.forOrg(from, async () => {
    await recordMove(tx, from, held.session_id, { org_id: to.org_id, session_id: signed.session_id });
    await endSession(tx, from, held.session_id);
    const by = { ...visitor, actor: { kind: "user", id: held.user_id } as const };
    await appendAudit(tx, from, { type: "session.ended", by, data: { session_id: held.session_id } });
  });
  return signed;
}
