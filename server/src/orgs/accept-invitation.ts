import type { Membership, User } from "../accounts/account.ts";
import { authenticateSession } from "../accounts/authenticate-session.ts";
import { hashPassword, refuseWeakPassword } from "../accounts/passwords.ts";
import { admitsAddress, lookUpLogInRule } from "../accounts/policy-store.ts";
import { type SignedIn, startSession } from "../accounts/start-session.ts";
import {
  confirmSession,
  findOrg,
  findUser,
  insertUser,
  listMemberships,
  lookUpLogin,
  type NewUser,
  renewAccount,
  type SessionPerson,
} from "../accounts/store.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { isUniqueViolation } from "../db/errors.ts";
import type { Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import { emailKey } from "../shared/email.ts";
import { type InvitationId, newId, type OrgId, type SessionId } from "../shared/ids.ts";
import { coded, type Detail, Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import { type Invitation, isOpen, type OrgDeps } from "./org.ts";
import { findSecurity } from "./security-store.ts";
import { closeInvitation, insertMember, lockInvitation, lookUpInvitation } from "./store.ts";

interface Found {
  readonly org_id: OrgId;
  readonly invitation_id: InvitationId;
}

async function findOpen(deps: OrgDeps, token: string): Promise<Found & { invitation: Invitation; org_name: string }> {
  const found = await deps.db.lease((read) => lookUpInvitation(read, sha256(token)));
  if (found === null) throw new Problem("invalid_link");
  return deps.db.tx(found.org_id, async (tx) => {
    const invitation = await lockOpen(tx, found);
    const { name } = await findOrg(tx, found.org_id);
    return { ...found, invitation, org_name: name };
  });
}

async function lockOpen(tx: Tx, { org_id, invitation_id }: Found): Promise<Invitation> {
  const invitation = await lockInvitation(tx, org_id, invitation_id);
  if (!isOpen(invitation, tx.now)) throw new Problem("invalid_link");
  return invitation;
}

export interface InvitationPreview {
  readonly org_name: string;
  readonly email: string;
  readonly role: Invitation["role"];
}

/** What the invitation page shows before the person accepts. Does not reveal whether the address has an account. */
export async function previewInvitation(deps: OrgDeps, token: string): Promise<InvitationPreview> {
  const { org_name, invitation } = await findOpen(deps, token);
  return { org_name, email: invitation.email, role: invitation.role };
}

/**
 * Creates an account for the invited address, adds it to the org and logs in. Throws 409 if the address already has an account, because
 * the link must never open an account or change its password. The account is verified if the link was only mailed, or came from the
 * operator. Otherwise it is unverified and bound to this org. No session starts if the org requires single sign-on, or does not
 * admit the address.
 */
export async function acceptInvitation(
  deps: OrgDeps,
  visitor: Visitor,
  token: string,
  given: { readonly password?: string | undefined; readonly name?: string | undefined },
): Promise<SignedIn | Joined> {
  const found = await findOpen(deps, token);
  const { email, proves: verified_by, role } = found.invitation;
  const known = await lookUpUnused(deps, email);
  const { name, password } = requireNameAndPassword(given);
  const { min_password: min } = await deps.db.tx(found.org_id, (tx) => findSecurity(tx, found.org_id));
  await refuseWeakPassword(deps, password, { email, names: [name, found.org_name], min });
  const user = { ...(known ?? { user_id: newId("user"), email }), name };
  const account = { ...user, password_hash: await hashPassword(deps, password) };
  const accepted = deps.db.tx(found.org_id, async (tx) => {
    await lockOpen(tx, found);
    await saveAccount(tx, { ...account, verified_by, bound_org_id: verified_by === null ? found.org_id : null }, known !== null);
    await join(tx, found, visitor, user, role, { account: "new", email_verified_by: verified_by });
    const org = { org_id: found.org_id, name: found.org_name, role };
    // The account is there, but only single sign-on opens this org.
    if ((await lookUpLogInRule(tx, org.org_id, user.user_id))?.needs_sso === true) return { user, org };
    // Or only other addresses.
    if (!(await admitsAddress(tx, org.org_id, visitor.ip))) return { user, org };
    return startSession(deps, tx, visitor, user, org);
  });
  return accepted.catch((error) => {
    // Another invitation to the same new address was accepted at the same time, so the account now exists.
    throw isUniqueViolation(error) ? signInToJoin(error) : error;
  });
}

/** The account of an address if it is in no org, where no one can log in to it. Null if there is no account; 409 if it is in an org. */
async function lookUpUnused(deps: OrgDeps, email: string): Promise<Pick<User, "user_id" | "email"> | null> {
  return deps.db.system(async (tx) => {
    const login = await lookUpLogin(tx, email);
    if (login === null) return null;
    if ((await listMemberships(tx, login.user_id)).length > 0) throw signInToJoin();
    const { user_id, email: stored } = await findUser(tx, login.user_id);
    return { user_id, email: stored };
  });
}

const signInToJoin = (cause?: unknown): Problem =>
  coded("sign_in_to_join", "this e-mail address already has an account. Log in, then accept the invitation with the session's token", {
    cause,
  });

const otherAddress = (): Problem =>
  coded("invitation_for_other_address", "log in with the account of the invited address, which the preview shows");

async function saveAccount(tx: Tx, account: NewUser, isKnown: boolean): Promise<void> {
  if (!isKnown) await insertUser(tx, account);
  else if (!(await renewAccount(tx, account))) throw signInToJoin();
}

function requireNameAndPassword({ name, password }: { readonly name?: string | undefined; readonly password?: string | undefined }): {
  name: string;
  password: string;
} {
  if (name !== undefined && password !== undefined) return { name, password };
  const missing = Object.entries({ password, name }).filter(([, value]) => value === undefined);
  const details = missing.map(([field]): Detail => ({ location: "body", field, code: "required", message: "is required" }));
  throw new Problem("invalid_request", "", { details });
}

export interface Joined {
  readonly user: User;
  readonly org: Membership;
}

/** Adds the account of the session to the org. The session stays in its own org; a refresh with `org_id` switches it. */
export async function acceptInSession(deps: OrgDeps, visitor: Visitor, bearer: string, token: string): Promise<Joined> {
  const session_id = await authenticated(deps, visitor, bearer);
  const found = await findOpen(deps, token);
  return deps.db.tx(found.org_id, async (tx) => {
    const { email, role } = await lockOpen(tx, found);
    const person = await confirmSession(tx, session_id);
    if (person === null) throw new Problem("invalid_session");
    if (emailKey(person.email) !== emailKey(email)) throw otherAddress();
    refuseUnverified(person, found.org_id);
    await join(tx, found, visitor, person, role, { account: "existing" });
    const { user_id, name } = person;
    return { user: { user_id, email: person.email, name }, org: { org_id: found.org_id, name: found.org_name, role } };
  });
}

/** The person who created an unverified account may not own its address, so the account can only join the org that it was created for. */
function refuseUnverified({ verified, bound_org_id }: SessionPerson, org: OrgId): void {
  if (!verified && bound_org_id !== org) {
    throw coded("address_not_verified", "enter the code that POST /auth/email/code mails, or ask the operator to verify the address");
  }
}

async function authenticated(deps: OrgDeps, visitor: Visitor, bearer: string): Promise<SessionId> {
  const admission = await deps.db.lease((read) => authenticateSession(deps, read, bearer, visitor));
  if (admission === null || admission.session === null) throw new Problem("invalid_session");
  const { accepted, quota } = admission;
  const retryAfterSeconds = Math.max(1, quota.reset - Math.floor(Date.now() / 1000));
  if (!accepted) throw new Problem("rate_limited", "", { retryAfterSeconds, quota });
  // The identity provider of one org must not let anyone into another one.
  if (admission.session.sso !== undefined) throw new Problem("managed_by_sso");
  return admission.session.session_id;
}

async function join(
  tx: Tx,
  { org_id, invitation_id }: Found,
  visitor: Visitor,
  { user_id, email }: Pick<User, "user_id" | "email">,
  role: Invitation["role"],
  how: Readonly<Record<string, string | null>>,
): Promise<void> {
  if (!(await insertMember(tx, org_id, user_id, role))) throw new Problem("already_member");
  await closeInvitation(tx, org_id, invitation_id, "accepted");
  const by = { ...visitor, actor: { kind: "user", id: user_id } as const };
  await appendAudit(tx, org_id, { type: "member.joined", by, data: { user_id, email, role, invitation_id, ...how } });
}
