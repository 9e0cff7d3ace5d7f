import { appendAudit } from "../audit/append-audit.ts";
import { queueMail } from "../mail/queue-mail.ts";
import type { Member } from "../shared/caller.ts";
import { type InvitationId, newId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Role } from "../shared/scopes.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { invitationMail } from "./messages.ts";
import { after, INVITATION_SECONDS, type Invitation, isOpen, type OrgDeps } from "./org.ts";
import { closeInvitation, findOrg, insertInvitation, isMember, lockInvitation } from "./store.ts";

/** One-use link bound to an e-mail address, for 7 days. The inviting admin gets it too: there may be no mail server. */
export async function inviteMember(deps: OrgDeps, admin: Member, email: string, role: Role): Promise<Invitation & { accept_url: string }> {
  const token = newToken();
  return deps.db.tx(admin.org, async (tx) => {
    if (await isMember(tx, admin.org, email)) throw new Problem("already_member");
    const invitation: Invitation = {
      invitation_id: newId("invitation", tx.now.getTime()),
      email,
      role,
      invited_by: admin.session.user_id,
      created_at: tx.now,
      expires_at: after(tx.now, INVITATION_SECONDS),
      accepted_at: null,
      revoked_at: null,
    };
    await insertInvitation(tx, admin.org, invitation, sha256(token));
    const { invitation_id, expires_at } = invitation;
    await appendAudit(tx, admin.org, { type: "invitation.created", by: admin, data: { invitation_id, email, role } });
    const accept_url = `${deps.publicUrl}/console/invite#token=${token}`;
    const { name: org_name } = await findOrg(tx, admin.org);
    await queueMail(deps.mail, tx, null, { ...invitationMail(org_name, accept_url), to: email, org_name, expires_at });
    return { ...invitation, accept_url };
  });
}

/** Revoking twice is no mistake; an accepted invitation cannot be revoked any more. */
export async function revokeInvitation(deps: OrgDeps, admin: Member, invitation_id: InvitationId): Promise<void> {
  await deps.db.tx(admin.org, async (tx) => {
    const invitation = await lockInvitation(tx, admin.org, invitation_id);
    if (invitation.revoked_at !== null) return;
    if (!isOpen(invitation, tx.now) && invitation.accepted_at !== null) throw new Problem("invitation_ended");
    await closeInvitation(tx, admin.org, invitation_id, "revoked");
    await appendAudit(tx, admin.org, { type: "invitation.revoked", by: admin, data: { invitation_id } });
  });
}
