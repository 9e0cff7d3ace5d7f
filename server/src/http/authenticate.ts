import type { Leased, Read } from "../db/sql.ts";
import type { Actor, Caller, Origin, PersonCaller, TokenHolder } from "../shared/caller.ts";
import type { EnvelopeId, OrgId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { hasPermission, type Permission, type Scope } from "../shared/scopes.ts";
import type { Access, KeptRecord, PersonAccess, SessionAccess, WidgetAccess } from "./endpoint.ts";
import type { Quota } from "./quota.ts";

/** The result of checking a credential. `keys/`, `accounts/`, `embed/` and `vault/` implement the look-ups; http/ does not depend on them. */
export interface Admission extends Counted {
  readonly org: OrgId;
  readonly actor: Actor;
  readonly scopes: readonly Scope[];
  readonly session: Caller["session"];
  /** only for a widget token */
  readonly holder?: TokenHolder;
  /** when the key or its retiring secret stops working */
  readonly expires_at: Date | null;
  /** only for a key: unknown fields in bodies are ignored instead of refused */
  readonly lenient_fields?: boolean;
  /** only for a session: its user logged in, or confirmed who they are, in the last ten minutes */
  readonly confirmed?: boolean;
}

export type Rights = Pick<Admission, "scopes" | "session">;

/** The session of a person who acts for parties. It has no organization and no scopes. */
export interface PersonAdmission extends Counted, Pick<PersonCaller, "actor" | "person"> {}

interface Counted {
  /** false: the quota is used up, and this request was not counted */
  readonly accepted: boolean;
  readonly quota: Quota;
}

/**
 * Each look-up makes the given connection see the credential's organization, or none for a person: its statement sets it, or `enter`. Null if the credential is not valid.
 * `party`: the session of a person who acts for parties.
 */
export interface Authenticate {
  key(read: Leased, rawKey: string, from: Pick<Origin, "ip" | "user_agent">): Promise<Admission | null>;
  session(read: Leased, token: string, from: Pick<Origin, "ip" | "user_agent">): Promise<Admission | null>;
  widget(read: Leased, token: string, access: WidgetAccess): Promise<Admission | null>;
  party(read: Leased, token: string): Promise<PersonAdmission | null>;
  /** What a caller may do by now who was admitted with a key or a session before. Counts nothing. Null if the key or the session has ended. */
  again(read: Read, admitted: Admission, given: Credentials, from: Pick<Origin, "ip">): Promise<Rights | null>;
  /** The same for a person who acts for parties. Null if the session has ended. */
  partyAgain(read: Read, admitted: PersonAdmission): Promise<PersonCaller["person"] | null>;
  /** Whether the member is the present or the requested custodian of the record that the path names. */
  keeps(read: Read, org: OrgId, user_id: UserId, record: { readonly param: KeptRecord; readonly id: string }): Promise<boolean>;
  /** Throws if the envelope is not a draft that this actor created. Does nothing if there is no such envelope. */
  requireOwnDraft(read: Read, org: OrgId, actor: Actor, envelope_id: EnvelopeId): Promise<void>;
  /** Records that a key or a member was not allowed to do something, with the code of the problem. */
  noteForbidden(read: Read, from: Origin, who: { readonly org: OrgId; readonly actor: Actor }, reason: string): Promise<void>;
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
  read: Leased,
  access: Exclude<Access, "anyone" | PersonAccess>,
  given: Credentials,
  from: Origin,
): Promise<Admission | null> {
  if (isMisplaced(given)) return null;
  if ("widget" in access) return given.bearer === undefined ? null : authenticate.widget(read, given.bearer, access);
  if (isOfSession(access)) return given.bearer === undefined ? null : authenticate.session(read, given.bearer, from);
  if (given.apiKey !== undefined) return authenticate.key(read, given.apiKey, from);
  return given.bearer === undefined ? null : authenticate.session(read, given.bearer, from);
}

/** Nothing but the session of a person is accepted, and it is accepted nowhere else. */
export async function admitPerson(authenticate: Authenticate, read: Leased, given: Credentials): Promise<PersonAdmission | null> {
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

const isOfSession = (access: Exclude<Access, "anyone">): access is SessionAccess => "permission" in access || "session" in access;

/** Throws 403 if an authenticated caller is not allowed to do this. Decided before any record is read. */
export function authorize(access: Exclude<Access, "anyone" | PersonAccess>, who: Pick<Admission, "scopes" | "session">): void {
  // The token is valid for exactly one widget of one envelope, so there is nothing more to check.
  if ("widget" in access || "session" in access) return;
  if ("permission" in access) {
    requirePermission(who, access.permission);
    return;
  }
  if (!access.anyScope.some((scope) => who.scopes.includes(scope)))
    throw new Problem("scope_missing", "", { words: { scope: access.anyScope.join(" or ") } });
  if (access.sessionOnly === true && who.session === null) throw new Problem("session_required");
  if (access.alsoNeeds !== undefined && who.session !== null) requirePermission(who, access.alsoNeeds);
  // Closed to custodians until its declaration says what they see of it.
  if (who.session?.role === "custodian" && (access.custodian ?? "closed") === "closed") throw new Problem("role_too_low");
}

function requirePermission({ session }: Pick<Admission, "session">, permission: Permission): void {
  if (session !== null && hasPermission(session.role, permission)) return;
  // Keys are for admins alone, as the specification says.
  if (permission === "keys:manage") throw new Problem("admin_required");
  throw new Problem("insufficient_permission", "", { words: { permission } });
}

const UNCONFIRMED = {
  location: "header",
  field: "Authorization",
  code: "reauthentication_required",
  message: "this session was confirmed more than 10 minutes ago. POST /auth/confirm, then repeat the request",
} as const;

/** Throws 403 if a session must first confirm who its user is. Keys have no user who could. */
export function requireConfirmed({ session, confirmed = false }: Pick<Admission, "session" | "confirmed">): void {
  if (session !== null && !confirmed) throw new Problem("reauthentication_required", "", { details: [UNCONFIRMED] });
}

/** Throws 409 for a session of single sign-on: what an organization vouches for must not change an account that has other uses. */
export function refuseManaged({ session }: Pick<Admission, "session">): void {
  if (session?.sso !== undefined) throw new Problem("managed_by_sso");
}

const NOT_ENROLLED = {
  location: "header",
  field: "Authorization",
  code: "enrollment_required",
  message: "your organization requires a second factor. Until you have one, this session can only use /auth/",
} as const;

/** Throws 403 for a session whose user must set up a second factor first, except where they do that. */
export function requireEnrolled({ session }: Pick<Admission, "session">, path: string): void {
  if (session?.limited !== undefined && !path.startsWith("/auth/"))
    throw new Problem("enrollment_required", "", { details: [NOT_ENROLLED] });
}

/** Like `authorize`, for access that depends on the body, after the body was validated. */
export function authorizeBody(access: Access, who: Pick<Admission, "scopes" | "session">, body: unknown): void {
  if (access === "anyone" || !("anyScope" in access) || access.scopeOf === undefined) return;
  authorize({ ...access, anyScope: [access.scopeOf(body as never)] }, who);
}

/** Whether nothing but `drafts:write` admits the caller, to an endpoint that this scope opens for the caller's own drafts alone. */
export function isForOwnDrafts(access: Access, { scopes }: Pick<Admission, "scopes">): boolean {
  if (access === "anyone" || !("anyScope" in access) || access.ownDraft !== true) return false;
  return !access.anyScope.some((scope) => scope !== "drafts:write" && scopes.includes(scope));
}

export function dependsOnBody(access: Access): boolean {
  return access !== "anyone" && "anyScope" in access && access.scopeOf !== undefined;
}
