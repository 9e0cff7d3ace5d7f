import { Type } from "typebox";
import { after } from "../accounts/account.ts";
import { findOrg } from "../accounts/store.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { Email } from "../http/shapes.ts";
import { validator } from "../http/validate.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { asSystem, type Caller, type Member, type Origin } from "../shared/caller.ts";
import { type InvitationId, newId, type OrgId, type UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Role } from "../shared/scopes.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { refuseHigherRole } from "./member-changes.ts";
import { invitationMail } from "./messages.ts";
import { INVITATION_SECONDS, type Invitation, isOpen, type OrgDeps } from "./org.ts";
import { closeInvitation, insertInvitation, isMember, lockInvitation } from "./store.ts";

/** `accept_url` is null if the link is only mailed to the invited person. */
export type Invited = Invitation & { readonly accept_url: string | null };

/**
 * Creates a one-time link for an e-mail address, valid for 7 days. With a mail server, only the mail contains it, so accepting verifies
 * the address. Without one, the inviting admin passes it on, and accepting verifies nothing.
 */
export async function inviteMember(deps: OrgDeps, admin: Member, email: string, role: Role): Promise<Invited> {
  refuseHigherRole(admin, [role]);
  return deps.db.tx(admin.org, async (tx) => {
    if (await isMember(tx, admin.org, email)) throw new Problem("already_member");
    const isMailed = deps.mail.smtp !== null;
    const wanted = { email, role, invited_by: admin.session.user_id, proves: isMailed ? "mail" : null } as const;
    const { invitation, accept_url } = await addInvitation(deps, tx, admin.org, admin, wanted);
    const { name: org_name } = await findOrg(tx, admin.org);
    const { expires_at } = invitation;
    // Without a mail server the mail waits, and is sent if one is configured within the week.
    await queueMail(deps.mail, tx, null, { ...invitationMail(org_name, accept_url), to: email, org_name, expires_at });
    return { ...invitation, accept_url: isMailed ? null : accept_url };
  });
}

// Values from the command line are not validated by an endpoint.
const checkInvited = validator(Type.Object({ email: Email }), "body");

/** An invitation by the operator, who passes the printed link on and so vouches for the address. */
export async function inviteAdmin(deps: OrgDeps, tx: Tx, org: OrgId, by: Origin, email: string): Promise<{ accept_url: string }> {
  checkInvited({ email });
  if (await isMember(tx, org, email)) throw new Problem("already_member");
  const wanted = { email, role: "admin", invited_by: null, proves: "operator" } as const;
  return addInvitation(deps, tx, org, asSystem(by), wanted);
}

interface Wanted {
  readonly email: string;
  readonly role: Role;
  readonly invited_by: UserId | null;
  readonly proves: Invitation["proves"];
}

const linkKind = (proves: Invitation["proves"]): string => {
  if (proves === null) return "shown to the inviting admin";
  return proves === "mail" ? "mailed" : "printed for the operator";
};

async function addInvitation(
  deps: OrgDeps,
  tx: Tx,
  org: OrgId,
  by: Pick<Caller, "actor"> & Origin,
  wanted: Wanted,
): Promise<{ invitation: Invitation; accept_url: string }> {
  const token = newToken();
  const invitation: Invitation = {
    ...wanted,
    invitation_id: newId("invitation", tx.now.getTime()),
    created_at: tx.now,
    expires_at: after(tx.now, INVITATION_SECONDS),
    accepted_at: null,
    revoked_at: null,
  };
  await insertInvitation(tx, org, invitation, sha256(token));
  const { invitation_id, email, role, proves } = invitation;
  await appendAudit(tx, org, { type: "invitation.created", by, data: { invitation_id, email, role, link: linkKind(proves) } });
  return { invitation, accept_url: `${deps.publicUrl}/console/invite#token=${token}` };
}

/** Revoking twice is not an error. An accepted invitation cannot be revoked. */
export async function revokeInvitation(deps: OrgDeps, admin: Member, invitation_id: InvitationId): Promise<void> {
  await deps.db.tx(admin.org, async (tx) => {
    const invitation = await lockInvitation(tx, admin.org, invitation_id);
    refuseHigherRole(admin, [invitation.role]);
    if (invitation.revoked_at !== null) return;
    if (!isOpen(invitation, tx.now) && invitation.accepted_at !== null) throw new Problem("invitation_ended");
    await closeInvitation(tx, admin.org, invitation_id, "revoked");
    await appendAudit(tx, admin.org, { type: "invitation.revoked", by: admin, data: { invitation_id } });
  });
}
