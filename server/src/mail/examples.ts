export const message = {
  message_id: "msg_01h2xcejqtf2nbrexx3vqjhp41",
  to: "sam@example.com",
  subject: "Acme asks you to sign: Lease 2026",
  kind: "signing_invitation",
  state: "queued",
  created_at: "2026-01-05T09:30:00.000Z",
  sent_at: null,
  last_error: null,
};

const SENT = "Acme has sent you a document to read and sign: Lease 2026";
const LINK = "https://sign.example.com/s/4f1c9a7be2d05836a94c7d10f3b82e65#k=8fJ2kQmX7vTzR1nYc5WbLd0HsGp3Ea9UiOqZ4tVxN6M";

export const openMessage = {
  ...message,
  text: `${SENT}\n\nRead and sign it by 4 February 2026:\n${LINK}\n`,
  html: `<p>${SENT}</p><p><a href="${LINK}">Read and sign</a></p>`,
};
