const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";
const other_envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp42";

export const possibleDuplicate = {
  envelope_id,
  envelope_name: "Lease",
  state: "active",
  stored_at: "2026-01-15T09:05:00.000Z",
  other: { envelope_id: other_envelope_id, envelope_name: "Lease, scanned", state: "exported", stored_at: "2026-01-05T09:30:00.000Z" },
  kinds: ["text"],
};

export const reviewRequest = { other_envelope_id, statement: "Compared page by page: two leases of one form, for different flats." };

export const review = {
  envelope_id,
  ...reviewRequest,
  reviewed_by: "usr_01h2xcejqtf2nbrexx3vqjhp41",
  at: "2026-01-16T10:00:00.000Z",
};
