const [root, other] = ["9f2c".repeat(16), "41d0".repeat(16)];
const lineage_id = `${root}/ac_01h2xcejqtf2nbrexx3vqjhp41`;

export const pinning = {
  url: "https://vault.example.com",
  root_sha256: root,
  org_id: "org_01h2xcejqtf2nbrexx3vqjhp42",
  name: "Second Example Bank",
};

export const remoteVault = {
  vault_id: "rv_01h2xcejqtf2nbrexx3vqjhp41",
  name: "Second Example Bank",
  url: "https://vault.example.com",
  root_sha256: root,
  org_id: "org_01h2xcejqtf2nbrexx3vqjhp42",
  state: "pinned",
  pinned_at: "2026-01-05T09:30:00.000Z",
};

export const transfer = {
  transfer_id: "vt_01h2xcejqtf2nbrexx3vqjhp41",
  direction: "out",
  state: "offered",
  vault_id: remoteVault.vault_id,
  vault_name: remoteVault.name,
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  copy_id: "ac_01h2xcejqtf2nbrexx3vqjhp41",
  origin_envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  origin_copy_id: "ac_01h2xcejqtf2nbrexx3vqjhp41",
  envelope_name: "Loan agreement",
  copy_sha256: other,
  lineage_id,
  act_id: null,
  customer_id: null,
  custodian_user_id: null,
  package_sha256: null,
  reason: null,
  last_error: null,
  created_at: "2026-01-05T09:30:00.000Z",
  updated_at: "2026-01-05T09:30:00.000Z",
  expires_at: "2026-01-19T09:30:00.000Z",
  closed_at: null,
  settled_at: null,
};

export const acceptance = { customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41", custodian_user_id: "usr_01h2xcejqtf2nbrexx3vqjhp41" };

export const transferIn = { ...transfer, direction: "in", state: "accepted", envelope_id: null, copy_id: null, ...acceptance };

export const messageFile = { bytes: "eyJhdCI6IuKApiJ9", signature: "q83vASNFZ4k=" };

export const message = { kind: "offer", at: "2026-01-05T09:30:00.000Z", ...messageFile };

export const received = { transfer_id: transfer.transfer_id, state: "offered", reply: null };
