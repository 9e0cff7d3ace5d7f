export const wanted = {
  partner_name: "Acme billing",
  scopes: ["envelopes:read", "envelopes:write", "esign:write"],
  rate_limit_rpm: 300,
};

export const change = { scopes: ["envelopes:read", "envelopes:write"], rate_limit_rpm: 600, webhook: { owner: "billing team" } };

export const key = {
  key_id: "lk_01h2xcejqtf2nbrexx3vqjhp41",
  partner_name: "Acme billing",
  key_hint: "lk_3f9a…c0d1",
  scopes: ["envelopes:read", "envelopes:write", "esign:write"],
  rate_limit_rpm: 300,
  mode: "live",
  status: "active",
  lenient_fields: false,
  webhook: null,
  expires_at: "2027-01-05T09:30:00.000Z",
  allowed_cidrs: ["203.0.113.0/24"],
  last_used_at: "2026-01-05T10:12:00.000Z",
  last_used_ip: "203.0.113.7",
  last_used_user_agent: "acme-billing/1.4",
  created_at: "2026-01-05T09:30:00.000Z",
  updated_at: "2026-01-05T09:30:00.000Z",
  rotated_at: null,
  previous_key_expires_at: null,
  deactivated_at: null,
  created_by: "usr_01h2xcejqtf2nbrexx3vqjhp41",
};

export const caller = {
  org_id: "org_01h2xcejqtf2nbrexx3vqjhp41",
  org_name: "Acme",
  mode: key.mode,
  key_id: key.key_id,
  partner_name: key.partner_name,
  scopes: key.scopes,
  rate_limit_rpm: key.rate_limit_rpm,
  lenient_fields: key.lenient_fields,
  console_url: "https://sign.example.com/console",
};

export const newKey = {
  ...key,
  last_used_at: null,
  last_used_ip: null,
  last_used_user_agent: null,
  api_key: "lk_3f9a52c1e7b80d46a2f1c95b7e30d8a64f21c0d1",
};

export const rotated = {
  ...key,
  key_hint: "lk_b71e…9a42",
  updated_at: "2026-01-06T09:30:00.000Z",
  rotated_at: "2026-01-06T09:30:00.000Z",
  previous_key_expires_at: "2026-01-06T10:30:00.000Z",
  api_key: "lk_b71e04d9c2a65f38e1b7d04c93f2a8e5617c9a42",
};

export const deactivated = { key_id: key.key_id, status: "deactivated", deactivated_at: "2026-01-07T09:30:00.000Z" };

export const tested = { event_id: "evt_01h2xcejqtf2nbrexx3vqjhp41", endpoints: 2 };
