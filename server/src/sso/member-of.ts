import { reclaimAccount } from "../accounts/reclaim-account.ts";
import { insertUser, isEmailVerified, listMemberships, lockOwnDetails, lookUpLogin, setPasswordHash } from "../accounts/store.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx, Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { lookUpOwnDomain } from "../orgs/domain-store.ts";
import { hasMember, insertMember, lockMember, setRole, wasRemoved } from "../orgs/store.ts";
import { emailKey } from "../shared/email.ts";
import { newId, type OrgId, type UserId } from "../shared/ids.ts";
import type { Role } from "../shared/scopes.ts";
import { type Claims, roleOf } from "./claims.ts";
import type { Connection } from "./connection.ts";
import type { Refusal } from "./refusals.ts";
import { hasIdentity, type Identity, lookUpIdentity, noteLogIn, replaceIdentity } from "./store.ts";

/** Which member of the organization a person at its identity provider is. */

interface Place {
  readonly org: OrgId;
  readonly connection: Connection;
  readonly visitor: Visitor;
}

export type Found = { readonly user_id: UserId } | { readonly refusal: Refusal };

/** The address of the claims, if it counts: it is in a domain of the organization, and the provider does not say that it is unverified. */
export async function addressOf(
  tx: Tx,
  org: OrgId,
  { email, email_verified }: Claims,
  { trust_email }: Connection,
): Promise<{ readonly email: string } | { readonly refusal: Refusal }> {
  if (email === null || !ADDRESS.test(email)) return { refusal: "no_email" };
  const domain = await lookUpOwnDomain(tx, org, email);
  if (domain === null) return { refusal: "other_domain" };
  const isTrusted = email_verified !== false || (trust_email && domain.method === "dns");
  return isTrusted ? { email } : { refusal: "email_not_verified" };
}

const ADDRESS = /^[^\s@<>"(),:;\\[\]\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u;

/**
 * A person whom the connection knows keeps their account, whatever address the provider names now. A new one is found by address, and
 * linked to the membership, never to the account: an account that also has other uses stays its owner's. The connection is locked, so that
 * the second of two first log-ins finds the identity of the first. So is the person, before anything is recorded: whatever ends all their
 * sessions does not overlook the one that begins here.
 */
export async function memberOf(tx: SystemTx, place: Place, claims: Claims): Promise<Found> {
  const { org, connection } = place;
  const known = await tx.forOrg(org, () => lookUpIdentity(tx, org, connection.connection_id, claims.subject));
  return known === null ? link(tx, place, claims) : returning(tx, place, claims, known);
}

async function returning(tx: SystemTx, place: Place, claims: Claims, identity: Identity): Promise<Found> {
  const { org, connection } = place;
  const { user_id } = identity;
  await lockOwnDetails(tx, user_id);
  return tx.forOrg(org, async () => {
    // An admin removed them, and the provider must not bring them back.
    if (!(await hasMember(tx, org, user_id))) return { refusal: "removed" };
    const role = roleOf(claims, connection);
    if (connection.role_claim !== null) {
      if (role === null) return { refusal: "no_role" };
      await applyRole(tx, place, user_id, role);
    }
    const email = claims.email ?? identity.email;
    if (emailKey(email) !== emailKey(identity.email)) await tellOfNewAddress(tx, org, identity.email, email);
    await noteLogIn(tx, org, connection.connection_id, { ...identity, email });
    return { user_id };
  });
}

async function link(tx: SystemTx, place: Place, claims: Claims): Promise<Found> {
  const { org, connection, visitor } = place;
  const address = await tx.forOrg(org, () => addressOf(tx, org, claims, connection));
  if ("refusal" in address) return address;
  const { email } = address;
  const role = roleOf(claims, connection);
  if (role === null && connection.role_claim !== null) return { refusal: "no_role" };
  const login = await lookUpLogin(tx, email);
  if (login !== null) await lockOwnDetails(tx, login.user_id);
  const memberships = login === null ? [] : await listMemberships(tx, login.user_id);
  const isMember = memberships.some((one) => one.org_id === org);
  // An admin removed them, and no connection brings them back, whether or not they had used one before.
  if (!isMember && (await tx.forOrg(org, () => wasRemoved(tx, org, login?.user_id ?? null, email)))) return { refusal: "removed" };
  if (!isMember && connection.provision === "off") return { refusal: "not_invited" };
  if (!isMember && role === null) return { refusal: "no_role" };
  if (login !== null && isMember && (await tx.forOrg(org, () => hasIdentity(tx, org, connection.connection_id, login.user_id))))
    return { refusal: "other_subject" };
  const user_id = login?.user_id ?? newId("user", tx.now.getTime());
  const by = { ...visitor, actor: { kind: "user", id: user_id } as const };
  const isOnlyHere = memberships.every((one) => one.org_id === org);
  const isReclaimed = login !== null && isOnlyHere && !(await isEmailVerified(tx, user_id));
  if (login === null) await insertUser(tx, { user_id, email, name: nameOf(claims, email), password_hash: null, verified_by: "sso" });
  // Someone else may have made the account, so nothing that they set up opens it. An account in other organizations is not ours to change.
  if (isReclaimed) {
    await reclaimAccount(tx, visitor, user_id, "sso");
    await setPasswordHash(tx, user_id, null);
  }
  const account = login === null ? "new" : isReclaimed ? "reclaimed" : "existing";
  const { connection_id } = connection;
  await tx.forOrg(org, async () => {
    if (!isMember && role !== null) {
      await insertMember(tx, org, user_id, role, "sso");
      const data = { user_id, email, role, account, connection_id };
      await appendAudit(tx, org, { type: "member.joined", by, data });
    }
    await replaceIdentity(tx, org, connection_id, { subject: claims.subject, user_id, email });
    const data = { user_id, email, connection_id, subject: claims.subject, account, membership: isMember ? "existing" : "new" };
    await appendAudit(tx, org, { type: "sso.linked", by, data });
    if (isMember && role !== null && connection.role_claim !== null) await applyRole(tx, place, user_id, role);
  });
  return { user_id };
}

/** The last admin and the exceptions from single sign-on stay admins, or a mistake at the provider would keep everyone out. */
async function applyRole(tx: Tx, { org, connection, visitor }: Place, user_id: UserId, role: Role): Promise<void> {
  const member = await lockMember(tx, org, user_id);
  if (member.role === role) return;
  const { connection_id } = connection;
  const by = { ...visitor, actor: { kind: "user", id: user_id } as const };
  const data = { user_id, from: member.role, to: role, connection_id };
  const isKept = member.role === "admin" && (member.other_admins === 0 || member.break_glass);
  if (isKept) {
    const reason = member.other_admins === 0 ? "last_admin" : "break_glass";
    await appendAudit(tx, org, { type: "sso.role_kept", by, data: { ...data, reason } });
    return;
  }
  await setRole(tx, org, user_id, role);
  await appendAudit(tx, org, { type: "member.role_changed", by, data });
}

const tellOfNewAddress = (tx: Tx, org_id: OrgId, from: string, to: string): Promise<void> =>
  enqueue(tx, "orgs.notify-admins", {
    org_id,
    kind: "sso_address_changed",
    subject: "A member has another address at your identity provider",
    text: `Your identity provider now names ${to} for a member whom it knew as ${from}.\n\nThe member's account and e-mail address in Countersign stay as they are.`,
  });

/** A name as people enter one: a line of at most 200 characters. */
function nameOf({ name }: Claims, email: string): string {
  const line = [...(name ?? "").replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()].slice(0, 200).join("");
  return line === "" ? email : line;
}
