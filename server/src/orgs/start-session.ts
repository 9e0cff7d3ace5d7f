import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import { type DeviceId, newId, type SessionId } from "../shared/ids.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { after, type Membership, type OrgDeps, REFRESH_IDLE_SECONDS, SESSION_SECONDS, type User } from "./org.ts";
import { signSessionToken } from "./session-token.ts";
import { insertRefreshToken, insertSession } from "./store.ts";

/** A person logged in to one org. The refresh token is returned once; only its hash is stored. */
export interface SignedIn {
  readonly token: string;
  readonly expires_at: Date;
  readonly refresh_token: string;
  readonly session_id: SessionId;
  readonly user: User;
  readonly org: Membership;
}

export interface SessionOptions {
  /** when the session must end, if it continues another one */
  readonly ends_at?: Date;
  /** the browser of the session, if it is known to the person */
  readonly device_id?: DeviceId | null | undefined;
}

export async function startSession(
  deps: OrgDeps,
  tx: Tx,
  visitor: Visitor,
  user: User,
  org: Membership,
  { ends_at, device_id = null }: SessionOptions = {},
): Promise<SignedIn> {
  const session_id = newId("session", tx.now.getTime());
  const expires_at = ends_at ?? after(tx.now, SESSION_SECONDS);
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
  });
  const refresh_token = newToken();
  await insertRefreshToken(tx, org.org_id, session_id, sha256(refresh_token), after(tx.now, REFRESH_IDLE_SECONDS));
  const by = { ...visitor, actor: { kind: "user", id: user.user_id } as const };
  await appendAudit(tx, org.org_id, { type: "session.started", by, data: { session_id } });
  const signed = await signSessionToken(deps, { session_id, user_id: user.user_id, org_id: org.org_id, role: org.role }, tx.now);
  return { ...signed, session_id, refresh_token, user, org };
}
