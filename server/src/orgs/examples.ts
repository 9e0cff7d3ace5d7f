const user = { user_id: "usr_01h2xcejqtf2nbrexx3vqjhp41", email: "ann@example.com", name: "Ann" };
const org = { org_id: "org_01h2xcejqtf2nbrexx3vqjhp41", name: "Acme" };
const REFRESH_TOKEN = "x8Jk2QmX7vTzR1nYc5WbLd0HsGp3Ea9UiOqZ4tVxN6M";

export const logIn = { email: user.email, password: "mauve otter kettle 1931", org_id: org.org_id, mode: "token" };

export const signedIn = {
  token: "eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiJzZXMifQ.kq1V0cJ3nqk0Y3mXo0n2m9Jc1b7s5d4f",
  expires_at: "2026-01-05T09:45:00.000Z",
  refresh_token: REFRESH_TOKEN,
  user,
  org,
  role: "admin",
};

export const refresh = { refresh_token: REFRESH_TOKEN };

export const refreshed = {
  ...signedIn,
  expires_at: "2026-01-05T10:00:00.000Z",
  refresh_token: "b4Tn9WqE6rYhU2sKf8LzXc1VdGm5Pj0AoIi7tRvBwQ3",
};

export const logOut = { refresh_token: REFRESH_TOKEN };

export const me = { user, email_verified: true, org, role: "admin", orgs: [{ ...org, role: "admin" }] };

export const session = {
  session_id: "ses_01h2xcejqtf2nbrexx3vqjhp41",
  ip: "203.0.113.7",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  created_at: "2026-01-05T09:30:00.000Z",
  last_used_at: "2026-01-05T10:12:00.000Z",
  expires_at: "2026-01-12T09:30:00.000Z",
  current: true,
};

export const passwordChange = { current_password: "mauve otter kettle 1931", new_password: "seven green kettles hum" };

export const verification = { code: "493027" };

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

export const auditEntry = {
  seq: 17,
  type: "member.role_changed",
  at: "2026-01-05T09:30:00.000Z",
  actor: { kind: "user", id: user.user_id },
  data: { user_id: member.user_id, from: "viewer", to: "member" },
  hash: "9f2c51b0a6d1e7f4c3b2a19087654321fedcba98765432100123456789abcdef",
};
