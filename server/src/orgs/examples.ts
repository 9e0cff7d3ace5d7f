import { org, user } from "../accounts/examples.ts";

export const member = {
  user_id: "usr_01h2xcejqtf2nbrexx3vqjhp42",
  email: "sam@example.com",
  name: "Sam",
  role: "viewer",
  joined_at: "2026-01-05T09:30:00.000Z",
};

export const roleChange = { role: "member" };

export const removed = { user_id: member.user_id, removed: true };

export const invited = { email: "kim@example.com", role: "member" };

export const invitation = {
  invitation_id: "inv_01h2xcejqtf2nbrexx3vqjhp41",
  ...invited,
  invited_by: user.user_id,
  created_at: "2026-01-05T09:30:00.000Z",
  expires_at: "2026-01-12T09:30:00.000Z",
  accepted_at: null,
  revoked_at: null,
};

export const newInvitation = {
  ...invitation,
  accept_url: "https://sign.example.com/console/invite#token=8fJ2kQmX7vTzR1nYc5WbLd0HsGp3Ea9UiOqZ4tVxN6M",
};

export const revoked = { invitation_id: invitation.invitation_id, revoked: true };

export const settings = {
  name: org.name,
  embed_origins: ["https://app.example.com"],
  min_retention_days: 2555,
  default_custodian_user_id: user.user_id,
  require_external_time: false,
  require_mailed_link: false,
  control_policy: "attested",
  status_shows_parties: false,
  default_locale: "en",
  time_zone: "Europe/Berlin",
  contact_email: "contracts@example.com",
  completed_mail: "link",
  branding: { accent: "#0a5c36", accent_text: "#ffffff", radius: "6px", font: "system", scheme: "auto" },
  updated_at: "2026-01-05T09:30:00.000Z",
};

export const settingsChange = {
  embed_origins: ["https://app.example.com", "https://portal.example.com"],
  default_custodian_user_id: user.user_id,
  branding: { accent: "#7a1f5c", accent_text: "#ffffff", font: "serif" },
};

export const domain = {
  domain_id: "dom_01h2xcejqtf2nbrexx3vqjhp41",
  domain: "harbor.example",
  record_name: "_countersign-challenge.harbor.example",
  record_value: "8fJ2kQmX7vTzR1nYc5WbLd0HsGp3Ea9UiOqZ4tVxN6M",
  verified_at: null,
  method: null,
  last_seen_at: null,
  failing_since: null,
  mailed_to: null,
  created_at: "2026-01-05T09:30:00.000Z",
};

export const verifiedDomain = {
  ...domain,
  verified_at: "2026-01-05T10:30:00.000Z",
  method: "dns",
  last_seen_at: "2026-01-05T10:30:00.000Z",
};

export const security = {
  second_factor: "off",
  grace_days: 7,
  remember_device_days: 0,
  idle_minutes: 1440,
  max_hours: 168,
  min_password: 12,
  max_key_days: null,
  sso_mode: "off",
  min_identity_level: 0,
  embed_identity: "partner",
  break_glass: [],
  allowed_cidrs: ["203.0.113.0/24"],
  second_factor_since: null,
  updated_at: "2026-01-05T09:30:00.000Z",
};

export const securityChange = { idle_minutes: 30, max_hours: 12, max_key_days: 365 };

export const factorReset = { reason: "Lost phone, asked in person" };

export const auditEntry = {
  seq: 17,
  type: "member.role_changed",
  at: "2026-01-05T09:30:00.000Z",
  actor: { kind: "user", id: user.user_id },
  data: { user_id: member.user_id, from: "viewer", to: "member" },
  hash: "9f2c51b0a6d1e7f4c3b2a19087654321fedcba98765432100123456789abcdef",
};

export const sandbox = {
  org_id: "org_01h2xcejqtgf2nbrexx3vqjhp4",
  name: "Acme – Test",
  sandbox_of: "org_01h2xcejqtf2nbrexx3vqjhp41",
  created_at: "2026-01-05T09:30:00.000Z",
  resetting_since: null,
};

export const resettingSandbox = { ...sandbox, resetting_since: "2026-01-15T09:30:00.000Z" };
