import { appendAudit } from "../audit/append-audit.ts";
import { isUniqueViolation } from "../db/errors.ts";
import type { Tx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import { type InvitationId, newId, type OrgId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import { type Proved, provePassword } from "./log-in.ts";
import { type Invitation, isOpen, type OrgDeps, type User } from "./org.ts";
import { hashPassword, refuseWeakPassword } from "./passwords.ts";
import { type SignedIn, startSession } from "./start-session.ts";
import {
  closeInvitation,
  confirmLogin,
  findOrg,
  findUser,
  insertMember,
  insertUser,
  lockInvitation,
  lookUpInvitation,
  lookUpLogin,
} from "./store.ts";

interface Found {
  readonly org_id: OrgId;
  readonly invitation_id: InvitationId;
}

async function findOpen(deps: OrgDeps, token: string): Promise<Found & { invitation: Invitation; org_name: string; has_account: boolean }> {
  const found = await deps.db.lease((read) => lookUpInvitation(read, sha256(token)));
  if (found === null) throw new Problem("invalid_link");
  return deps.db.tx(found.org_id, async (tx) => {
    const invitation = await lockOpen(tx, found);
    const { name } = await findOrg(tx, found.org_id);
    return { ...found, invitation, org_name: name, has_account: (await lookUpLogin(tx, invitation.email)) !== null };
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
  readonly has_account: boolean;
}

/** What the page behind the link shows before anything is decided. */
export async function previewInvitation(deps: OrgDeps, token: string): Promise<InvitationPreview> {
  const { org_name, invitation, has_account } = await findOpen(deps, token);
  return { org_name, email: invitation.email, role: invitation.role, has_account };
}

/**
 * Joins the org and signs in. Somebody with an account proves it with its password: the link alone never opens an account and
 * never changes its password. Anybody else makes an account for the invited address.
 */
export async function acceptInvitation(
  deps: OrgDeps,
  visitor: Visitor,
  token: string,
  password: string,
  name: string | undefined,
): Promise<SignedIn> {
  const found = await findOpen(deps, token);
  const { email } = found.invitation;
  const proved = found.has_account ? await proveAccount(deps, visitor, email, password) : null;
  const made = proved === null ? await newAccount(deps, email, password, name) : null;
  const accepted = deps.db.tx(found.org_id, async (tx) => {
    const invitation = await lockOpen(tx, found);
    if (proved !== null && !(await confirmLogin(tx, proved.user_id, proved.password_hash))) throw new Problem("invalid_credentials");
    if (made !== null) await insertUser(tx, made);
    const { user_id, email: address, name: called } = proved ?? (made as User);
    const user = { user_id, email: address, name: called };
    if (!(await insertMember(tx, found.org_id, user_id, invitation.role))) throw new Problem("already_member");
    await closeInvitation(tx, found.org_id, found.invitation_id, "accepted");
    const by = { ...visitor, actor: { kind: "user", id: user_id } as const };
    await appendAudit(tx, found.org_id, { type: "member.joined", by, data: { user_id, email, role: invitation.role } });
    const org = { org_id: found.org_id, name: found.org_name, role: invitation.role };
    return startSession(deps, tx, visitor, user, org);
  });
  return accepted.catch((error) => {
    // Another invitation to the same new address was accepted at this moment, so there is an account now: prove it.
    if (made !== null && isUniqueViolation(error)) return acceptInvitation(deps, visitor, token, password, name);
    throw error;
  });
}

async function proveAccount(deps: OrgDeps, visitor: Visitor, email: string, password: string): Promise<User & Proved> {
  const { proved } = await provePassword(deps, visitor, email, password);
  if (proved === null) throw new Problem("invalid_credentials");
  return { ...(await deps.db.system((tx) => findUser(tx, proved.user_id))), ...proved };
}

async function newAccount(
  deps: OrgDeps,
  email: string,
  password: string,
  name: string | undefined,
): Promise<User & { password_hash: string }> {
  if (name === undefined) throw invalidField("name", "required", "is required");
  refuseWeakPassword(password, email);
  return { user_id: newId("user"), email, name, password_hash: await hashPassword(deps, password) };
}
