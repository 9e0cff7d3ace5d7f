/** The examples in the API reference. A test checks each against its schema. */

const slug = "5f2b7c0e9d1a4f6b8c3e7d2a1b0f9e8d";

export const form = {
  form_id: "form_01h2xcejqtf2nbrexx3vqjhp41",
  name: "Photo consent",
  template_id: "tmpl_01h2xcejqtf2nbrexx3vqjhp41",
  url: `https://sign.example.com/f/${slug}`,
  state: "open",
  settings: {
    visitor_role: "Parent",
    recipients: [
      {
        kind: "cc",
        email: "office@example.com",
        name: "School office",
        role: null,
        step: null,
        locale: null,
        message: null,
        delivery: "email",
      },
    ],
    verify_email: true,
    max_per_day: 100,
    max_total: null,
    closes_at: "2026-09-01T00:00:00.000Z",
    success_text: "Thank you. You do not need to bring a printed copy.",
  },
  opened: 12,
  completed: 9,
  created_at: "2026-01-15T09:00:00.000Z",
  updated_at: "2026-01-15T09:00:00.000Z",
};
export const create = {
  template_id: form.template_id,
  settings: {
    visitor_role: "Parent",
    recipients: [{ kind: "cc", email: "office@example.com", name: "School office" }],
    closes_at: form.settings.closes_at,
    success_text: form.settings.success_text,
  },
};
export const change = { settings: { max_per_day: 20, closes_at: null } };
export const start = { name: "Ann Lee", email: "ann@example.com", locale: "en" };
export const confirm = { code: "0c6f1a9d5e2b47388d1f6a0b9c3e5d72" };
export const opened = { embed_url: `https://sign.example.com/s/${slug}?lang=en#k=8d1f6a0b9c3e5d720c6f1a9d5e2b4738` };
