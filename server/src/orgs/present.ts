import { presentUser } from "../accounts/present.ts";
import { iso, isoOrNull } from "../http/shapes.ts";
import type { UserId } from "../shared/ids.ts";
import { hasPermission, type Role } from "../shared/scopes.ts";
import type { Joined } from "./accept-invitation.ts";
import type { Invitation, MemberRow, Sandbox } from "./org.ts";
import type { SecurityRow } from "./security-store.ts";
import type { SettingsRow } from "./store.ts";

/** The fields of the responses, listed explicitly. */

export const presentJoined = ({ user, org }: Joined) => ({
  user: presentUser(user),
  org: { org_id: org.org_id, name: org.name },
  role: org.role,
});

export const presentMember = (member: MemberRow) => ({
  user_id: member.user_id,
  email: member.email,
  name: member.name,
  role: member.role,
  joined_at: iso(member.created_at),
});

/** Admins also see who has a second factor. */
export const presentMemberTo = (withFactor: ReadonlySet<UserId> | null) => (member: MemberRow) => ({
  ...presentMember(member),
  ...(withFactor !== null && { second_factor: withFactor.has(member.user_id) }),
});

export const presentSandbox = (sandbox: Sandbox) => ({
  org_id: sandbox.org_id,
  name: sandbox.name,
  sandbox_of: sandbox.sandbox_of,
  created_at: iso(sandbox.created_at),
  resetting_since: isoOrNull(sandbox.resetting_since),
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

/** Only those who administer security see who is an exception from single sign-on, and the addresses. */
export const presentSecurity = (security: SecurityRow, { role }: { readonly role: Role }) => ({
  second_factor: security.second_factor,
  grace_days: security.grace_days,
  remember_device_days: security.remember_device_days,
  idle_minutes: security.idle_minutes,
  max_hours: security.max_hours,
  min_password: security.min_password,
  max_key_days: security.max_key_days,
  sso_mode: security.sso_mode,
  min_identity_level: security.min_identity_level,
  embed_identity: security.embed_identity,
  ...(hasPermission(role, "security:manage") && {
    break_glass: [...security.break_glass],
    allowed_cidrs: [...security.allowed_cidrs],
  }),
  second_factor_since: isoOrNull(security.second_factor_since),
  updated_at: iso(security.updated_at),
});
