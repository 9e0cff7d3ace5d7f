import type { Read } from "../db/sql.ts";
import type { Actor, Caller, PersonCaller, TokenHolder } from "../shared/caller.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Role, Scope } from "../shared/scopes.ts";
import type { Access, KeptRecord, PersonAccess, WidgetAccess } from "./endpoint.ts";
import type { Quota } from "./quota.ts";

/** The result of checking a credential. `keys/`, `orgs/`, `embed/` and `vault/` implement the look-ups; http/ does not depend on them. */
export interface Admission extends Counted {
  readonly org: OrgId;
  readonly actor: Actor;
  readonly scopes: readonly Scope[];
  readonly session: Caller["session"];
  /** only for a widget token */
  readonly holder?: TokenHolder;
  /** when a retiring secret stops working */
  readonly expires_at: Date | null;
  /** only for a key: unknown fields in bodies are ignored instead of refused */
  readonly lenient_fields?: boolean;
}

/** The session of a person who acts for parties. It has no organization and no scopes. */
export interface PersonAdmission extends Counted, Pick<PersonCaller, "actor" | "person"> {}

interface Counted {
  /** false: the quota is used up, and this request was not counted */
  readonly accepted: boolean;
  readonly quota: Quota;
}

/**
 * Each look-up sets the credential's organization on the given connection, or none for a person. Null if the credential is not valid.
 * `party`: the session of a person who acts for parties.
 */
export interface Authenticate {
  key(read: Read, rawKey: string): Promise<Admission | null>;
  session(read: Read, token: string): Promise<Admission | null>;
  widget(read: Read, token: string, access: WidgetAccess): Promise<Admission | null>;
  party(read: Read, token: string): Promise<PersonAdmission | null>;
  /** Whether the member is the present or the requested custodian of the record that the path names. */
  keeps(read: Read, org: OrgId, user_id: UserId, record: { readonly param: KeptRecord; readonly id: string }): Promise<boolean>;
}

export interface Credentials {
  readonly apiKey: string | undefined;
  readonly bearer: string | undefined;
  /** the Authorization header contains something that looks like an API key */
  readonly isKeyMisplaced: boolean;
}

/** A request with an API key is authenticated by the key alone. Key management accepts only sessions. */
export async function admit(
  authenticate: Authenticate,
  read: Read,
  access: Exclude<Access, "anyone" | PersonAccess>,
  given: Credentials,
): Promise<Admission | null> {
  if (isMisplaced(given)) return null;
  if ("widget" in access) return given.bearer === undefined ? null : authenticate.widget(read, given.bearer, access);
  if ("role" in access) return given.bearer === undefined ? null : authenticate.session(read, given.bearer);
  if (given.apiKey !== undefined) return authenticate.key(read, given.apiKey);
  return given.bearer === undefined ? null : authenticate.session(read, given.bearer);
}

/** Nothing but the session of a person is accepted, and it is accepted nowhere else. */
export async function admitPerson(authenticate: Authenticate, read: Read, given: Credentials): Promise<PersonAdmission | null> {
  return isMisplaced(given) || given.bearer === undefined ? null : authenticate.party(read, given.bearer);
}

/** Decided by the format alone, so that it reveals nothing about the key. */
const isMisplaced = ({ apiKey, isKeyMisplaced }: Credentials): boolean => apiKey === undefined && isKeyMisplaced;

/** The 401 for a refused credential. It is the same whether the credential is missing, malformed, unknown, deactivated or expired. */
export function refusedCredential(access: Exclude<Access, "anyone">, given: Credentials): Problem {
  if (isMisplaced(given)) return new Problem("api_key_in_authorization");
  if ("widget" in access) return new Problem("invalid_token");
  const byKey = "anyScope" in access && (given.apiKey !== undefined || given.bearer === undefined);
  return new Problem(byKey ? "invalid_api_key" : "invalid_session");
}

const rank: Record<Role, number> = { custodian: 0, viewer: 1, member: 2, admin: 3 };

/** Throws 403 if an authenticated caller is not allowed to do this. Decided before any record is read. */
export function authorize(access: Exclude<Access, "anyone" | PersonAccess>, who: Pick<Admission, "scopes" | "session">): void {
  // The token is valid for exactly one widget of one envelope, so there is nothing more to check.
  if ("widget" in access) return;
  if ("role" in access) {
    const role = who.session?.role ?? "custodian";
    if (rank[role] >= rank[access.role]) return;
    throw new Problem(access.role === "admin" ? "admin_required" : "role_too_low");
  }
  if (!access.anyScope.some((scope) => who.scopes.includes(scope)))
    throw new Problem("scope_missing", "", { words: { scope: access.anyScope.join(" or ") } });
  if (access.sessionOnly === true && who.session === null) throw new Problem("session_required");
  if (access.leastRole !== undefined && who.session !== null && rank[who.session.role] < rank[access.leastRole])
    throw new Problem("role_too_low");
  // Closed to custodians until its declaration says what they see of it.
  if (who.session?.role === "custodian" && (access.custodian ?? "closed") === "closed") throw new Problem("role_too_low");
}

/** The same for access that depends on the body, after the body was validated. */
export function authorizeBody(access: Access, who: Pick<Admission, "scopes" | "session">, body: unknown): void {
  if (access === "anyone" || !("anyScope" in access) || access.scopeOf === undefined) return;
  authorize({ ...access, anyScope: [access.scopeOf(body as never)] }, who);
}

export function dependsOnBody(access: Access): boolean {
  return access !== "anyone" && "anyScope" in access && access.scopeOf !== undefined;
}
