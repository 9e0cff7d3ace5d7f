const link = "https://sign.example.com/s/0f3c9a17e2b84d56#k=5b774f8e26465f50";

export const message = {
  message_id: "msg_01h2xcejqtf2nbrexx3vqjhp41",
  to: "ann@example.com",
  kind: "signing_invitation",
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  subject: "Acme asks you to sign: Lease",
  text: `Hello Ann, please sign.\n\n${link}\n`,
  html: `<p>Hello Ann, please sign.</p><p><a href="${link}">Open document</a></p>`,
  links: [link],
  created_at: "2026-01-05T09:30:00.000Z",
};

export const signed = {
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  status: "completed",
  vaulted: false,
  compliant: false,
  signed_at: "2026-01-05T09:30:00.000Z",
  updated_at: "2026-01-05T09:30:00.000Z",
};
export const declined = { ...signed, status: "declined", signed_at: null };

export const appended = {
  event_id: "evt_01h2xcejqtf2nbrexx3vqjhp41",
  event_type: "envelope.sent",
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
};
