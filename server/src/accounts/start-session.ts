import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import { HOUR_SECONDS } from "../shared/durations.ts";
import { type DeviceId, newId, type SessionId } from "../shared/ids.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { type AccountDeps, after, type Membership, REFRESH_IDLE_SECONDS, SESSION_SECONDS, type User, type Via } from "./account.ts";
import { isSecure } from "./cookies.ts";
import { findSessionPolicy, mustHaveFactor } from "./policy-store.ts";
import { refuseOtherAddress } from "./refuse-other-address.ts";
import { refuseWithoutSso, reportBreakGlass, ssoRequired } from "./refuse-without-sso.ts";
import { signSessionToken } from "./session-token.ts";
import { endOldestSessions, insertRefreshToken, insertSession } from "./store.ts";

// More than a person uses. Without a limit, a script that never signs out could fill the table.
const SESSIONS_PER_MEMBER = 20;

/** A person logged in to one org. The refresh token is returned once; only its hash is stored. */
export interface SignedIn {
  readonly token: string;
  readonly expires_at: Date;
  readonly refresh_token: string;
  readonly session_id: SessionId;
  readonly user: User;
  readonly org: Membership;
  /** the org demands a second factor, and the person has none */
  readonly mustEnroll: boolean;
  readonly via: Via;
}

export interface SessionOptions {
  /** when the session must end, if it continues another one */
  readonly ends_at?: Date;
  /** the browser of the session, if it is known to the person */
  readonly device_id?: DeviceId | null | undefined;
  /** what proved the second factor */
  readonly factors?: readonly string[];
  /** when the person last proved who they are, if the session continues another one; otherwise now */
  readonly confirmed_at?: Date | null;
  readonly via?: Via;
}

/** Throws 403 if only single sign-on opens the org to the person, and this is not one, or if the org does not admit the address. */
export async function startSession(
  deps: AccountDeps,
  tx: Tx,
  visitor: Visitor,
  user: User,
  org: Membership,
  { ends_at, device_id = null, factors = [], confirmed_at = tx.now, via = "password" }: SessionOptions = {},
): Promise<SignedIn> {
  const isSso = via.startsWith("sso:");
  const rule = isSso ? null : await refuseWithoutSso(tx, org.org_id, user);
  // An exception from single sign-on proves a factor of its own each time, and no browser replaces it.
  if (rule?.break_glass === true && !factors.some((one) => one !== "device")) throw ssoRequired(rule);
  await refuseOtherAddress(tx, org.org_id, visitor);
  const session_id = newId("session", tx.now.getTime());
  const { max_hours } = await findSessionPolicy(tx, org.org_id);
  const latest = after(tx.now, Math.min(SESSION_SECONDS, max_hours * HOUR_SECONDS));
  const expires_at = ends_at !== undefined && ends_at < latest ? ends_at : latest;
  const { ip, user_agent } = visitor;
  await insertSession(tx, org.org_id, {
    session_id,
    user_id: user.user_id,
    ip,
    user_agent,
    created_at: tx.now,
    last_used_at: tx.now,
    expires_at,
    device_id,
    factors,
    confirmed_at,
    via,
    cookie_without_prefix: !isSecure(deps),
  });
  const by = { ...visitor, actor: { kind: "user", id: user.user_id } as const };
  for (const ended of await endOldestSessions(tx, org.org_id, user.user_id, SESSIONS_PER_MEMBER))
    await appendAudit(tx, org.org_id, { type: "session.ended", by, data: { session_id: ended } });
  const refresh_token = newToken();
  await insertRefreshToken(tx, org.org_id, session_id, sha256(refresh_token), after(tx.now, REFRESH_IDLE_SECONDS));
  await appendAudit(tx, org.org_id, { type: "session.started", by, data: { session_id, factors: [...factors], via, device_id } });
  if (rule?.break_glass === true) await reportBreakGlass(tx, org.org_id, by, user, session_id);
  const signed = await signSessionToken(deps, { session_id, user_id: user.user_id, org_id: org.org_id, role: org.role }, tx.now);
  const mustEnroll = !isSso && (await mustHaveFactor(tx, org.org_id, user.user_id));
  return { ...signed, session_id, refresh_token, user, org, mustEnroll, via };
}
