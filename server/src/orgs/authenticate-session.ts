import type { Read } from "../db/sql.ts";
import type { Admission } from "../http/authenticate.ts";
import { scopesOfRole } from "../shared/scopes.ts";
import { type OrgDeps, SESSION_CALLS_PER_MINUTE } from "./org.ts";
import { verifySessionToken } from "./session-token.ts";
import { useSession } from "./store.ts";

/** The role comes from the database, not from the token, so sign-out, demotion and removal take effect on the next request. */
export async function authenticateSession(deps: Pick<OrgDeps, "keys" | "publicUrl">, read: Read, token: string): Promise<Admission | null> {
  const claims = await verifySessionToken(deps, token);
  if (claims === null) return null;
  const { session_id } = claims;
  const row = await useSession(read, session_id, SESSION_CALLS_PER_MINUTE);
  if (row === null) return null;
  return {
    org: row.org_id,
    actor: { kind: "user", id: row.user_id },
    scopes: scopesOfRole[row.role],
    session: { session_id, user_id: row.user_id, role: row.role },
    accepted: row.accepted,
    quota: { limit: row.quota, remaining: row.remaining, reset: Number(row.reset_at) },
    expires_at: null,
  };
}
