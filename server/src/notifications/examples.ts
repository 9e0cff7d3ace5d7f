/** The examples in the API reference. A test checks each against its schema. */

export const notification = {
  notification_id: "ntf_01h2xcejqtf2nbrexx3vqjhp41",
  kind: "declined",
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  batch_id: null,
  text: "Ann Example declined to sign Lease of the flat",
  created_at: "2026-01-15T09:01:00.000Z",
  read_at: null,
};

const both = { console: true, mail: true };
export const settings = {
  kinds: {
    completed: { console: true, mail: false },
    declined: both,
    expires_soon: both,
    expired: both,
    mail_failed: both,
    action_needed: both,
    batch_ended: both,
  },
};
export const change = { kinds: { completed: { mail: false } } };
export const read = { ids: [notification.notification_id] };
