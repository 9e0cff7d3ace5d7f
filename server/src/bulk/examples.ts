/** The examples in the API reference. A test checks each against its schema. */

const batch_id = "bat_01h2xcejqtf2nbrexx3vqjhp41";

export const uploadForm = {
  template_id: "tmpl_01h2xcejqtf2nbrexx3vqjhp41",
  options: JSON.stringify({ name: "Leases of January", tags: ["2026"], expires_in_days: 14 }),
  file: "Tenant.name,Tenant.email,field.rent\r\nAnn Example,ann@example.com,950\r\n",
};

export const checking = {
  batch_id,
  name: "Leases of January",
  template_id: "tmpl_01h2xcejqtf2nbrexx3vqjhp41",
  state: "checking",
  reason: null,
  options: { tags: ["2026"], expires_in_days: 14 },
  rows: 0,
  ready: 0,
  invalid: 0,
  sent: 0,
  failed: 0,
  skipped: 0,
  warned: 0,
  created_at: "2026-01-15T09:01:00.000Z",
  started_at: null,
  ended_at: null,
  erased_at: null,
  file_sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  columns: [],
  problems: [],
};

export const checked = {
  ...checking,
  state: "checked",
  rows: 10_000,
  ready: 9_960,
  invalid: 40,
  warned: 2,
  columns: ["Tenant.name", "Tenant.email", "field.rent"],
};

export const start = { accept_invalid: true };
export const running = { ...checked, state: "running", ready: 9_000, sent: 960, started_at: "2026-01-15T09:05:00.000Z" };
export const cancelled = {
  ...running,
  state: "cancelled",
  ready: 0,
  skipped: 9_000,
  warned: 0,
  ended_at: "2026-01-15T09:07:00.000Z",
};

export const row = {
  row_no: 17,
  state: "invalid",
  envelope_id: null,
  errors: [{ column: "Tenant.email", code: "invalid_format", message: "must be an e-mail address, for example ann@example.com" }],
  warnings: [],
  cells: ["Ann Example", "ann.example.com", "950"],
};
