export const request = {
  name: "Harbor Entra ID",
  issuer: "https://login.example.com/harbor/v2.0",
  client_id: "0f8c3a4e-6d2b-4a15-9c7e-1b2d3e4f5a6b",
  client_secret: "8fJ2kQmX7vTzR1nYc5WbLd0HsGp3Ea9U",
  role_claim: "roles",
  role_map: [{ value: "countersign-admin", role: "admin" }],
  default_role: "member",
  provision: "create",
};

const { client_secret: _, ...shown } = request;

export const connection = {
  connection_id: "sso_01h2xcejqtf2nbrexx3vqjhp41",
  ...shown,
  scopes: ["openid", "email", "profile"],
  trust_email: false,
  required_acr: null,
  required_amr: null,
  max_hours: 12,
  state: "draft",
  redirect_uri: "https://sign.example.com/auth/sso/callback/org_01h2xcejqtf2nbrexx3vqjhp41",
  tested_at: null,
  tested_by: null,
  created_at: "2026-01-05T09:30:00.000Z",
  updated_at: "2026-01-05T09:30:00.000Z",
};

export const started = {
  redirect_url: "https://login.example.com/harbor/authorize?response_type=code&state=Qm3vTzR1nYc5",
  expires_at: "2026-01-05T09:40:00.000Z",
};
