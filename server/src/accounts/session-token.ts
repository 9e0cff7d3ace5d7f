import { randomUUID } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { isId, type OrgId, type SessionId, type UserId } from "../shared/ids.ts";
import type { Role } from "../shared/scopes.ts";
import { keyNamed } from "../shared/secrets.ts";
import { type AccountDeps, after, TOKEN_SECONDS } from "./account.ts";

const TYPE = "session+jwt";
const AUDIENCE = "console";

export interface SessionClaims {
  readonly session_id: SessionId;
  readonly user_id: UserId;
  readonly org_id: OrgId;
  readonly role: Role;
}

type TokenDeps = Pick<AccountDeps, "keys" | "publicUrl">;

export async function signSessionToken(deps: TokenDeps, claims: SessionClaims, now: Date): Promise<{ token: string; expires_at: Date }> {
  const expires_at = after(now, TOKEN_SECONDS);
  const [{ version, key }] = deps.keys.session;
  const token = await new SignJWT({ org: claims.org_id, role: claims.role, sid: claims.session_id })
    .setProtectedHeader({ alg: "HS256", typ: TYPE, kid: String(version) })
    .setIssuer(deps.publicUrl)
    .setAudience(AUDIENCE)
    .setSubject(claims.user_id)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(expires_at)
    .sign(key);
  return { token, expires_at };
}

/** The session and its org, or null if the token is not ours or has expired. The database knows whether the session has ended. */
export async function verifySessionToken(deps: TokenDeps, token: string): Promise<Pick<SessionClaims, "session_id" | "org_id"> | null> {
  try {
    const keyOf = ({ kid }: { kid?: string }) => {
      const key = keyNamed(deps.keys.session, kid);
      if (key === null) throw new errors.JWKSNoMatchingKey();
      return key;
    };
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ["HS256"],
      typ: TYPE,
      issuer: deps.publicUrl,
      audience: AUDIENCE,
      requiredClaims: ["sub", "org", "role", "sid", "iat", "exp", "jti"],
    });
    const { sid: session_id, org: org_id } = payload;
    if (typeof session_id !== "string" || typeof org_id !== "string") return null;
    return isId("session", session_id) && isId("org", org_id) ? { session_id, org_id } : null;
  } catch (error) {
    // jose throws an error with a code for every invalid token. Any other error is a bug.
    if (typeof (error as { code?: unknown }).code === "string" && (error as { code: string }).code.startsWith("ERR_J")) return null;
    throw error;
  }
}
