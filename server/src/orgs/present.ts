import { iso, isoOrNull } from "../http/shapes.ts";
import type { SessionId } from "../shared/ids.ts";
import type { Joined } from "./accept-invitation.ts";
import type { Invitation, MemberRow, Membership, Session, User } from "./org.ts";
import type { SignedIn } from "./start-session.ts";
import type { SettingsRow } from "./store.ts";

/** The fields of the responses, listed explicitly. */

const presentUser = ({ user_id, email, name }: User) => ({ user_id, email, name });

/** Without the refresh token for browsers, which get it as a cookie that scripts cannot read. */
export const presentSignedIn = (signed: SignedIn, withRefreshToken: boolean) => ({
  token: signed.token,
  expires_at: iso(signed.expires_at),
  ...(withRefreshToken && { refresh_token: signed.refresh_token }),
  user: presentUser(signed.user),
  org: { org_id: signed.org.org_id, name: signed.org.name },
  role: signed.org.role,
});

export const presentMe = (user: User, email_verified: boolean, here: Membership, all: readonly Membership[]) => ({
  user: presentUser(user),
  email_verified,
  org: { org_id: here.org_id, name: here.name },
  role: here.role,
  orgs: all.map(({ org_id, name, role }) => ({ org_id, name, role })),
});

export const presentJoined = ({ user, org }: Joined) => ({
  user: presentUser(user),
  org: { org_id: org.org_id, name: org.name },
  role: org.role,
});

export const presentSession = (session: Session, current: SessionId) => ({
  session_id: session.session_id,
  ip: session.ip,
  user_agent: session.user_agent,
  created_at: iso(session.created_at),
  last_used_at: iso(session.last_used_at),
  expires_at: iso(session.expires_at),
  current: session.session_id === current,
});

export const presentMember = (member: MemberRow) => ({
  user_id: member.user_id,
  email: member.email,
  name: member.name,
  role: member.role,
  joined_at: iso(member.created_at),
});

export const presentInvitation = (invitation: Invitation) => ({
  invitation_id: invitation.invitation_id,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invited_by,
  created_at: iso(invitation.created_at),
  expires_at: iso(invitation.expires_at),
  accepted_at: isoOrNull(invitation.accepted_at),
  revoked_at: isoOrNull(invitation.revoked_at),
});

export const presentSettings = (settings: SettingsRow) => ({
  name: settings.name,
  embed_origins: settings.embed_origins,
  min_retention_days: settings.min_retention_days,
  default_custodian_user_id: settings.default_custodian_user_id,
  require_external_time: settings.require_external_time,
  require_mailed_link: settings.require_mailed_link,
  control_policy: settings.control_policy,
  status_shows_parties: settings.status_shows_parties,
  default_locale: settings.default_locale,
  time_zone: settings.time_zone,
  contact_email: settings.contact_email,
  completed_mail: settings.completed_mail,
  branding: settings.branding,
  updated_at: iso(settings.updated_at),
});
