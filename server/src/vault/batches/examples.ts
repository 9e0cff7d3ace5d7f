/** Examples in OpenAPI. */

const created_at = "2026-01-05T09:30:00.000Z";
const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";
const control_batch_id = "cbt_01h2xcejqtf2nbrexx3vqjhp41";
const act_id = "act_01h2xcejqtf2nbrexx3vqjhp41";

export const creation = {
  kind: "assign",
  filter: { external_ids: ["note-2026-114", "note-2026-115"] },
  party_id: "pty_01h2xcejqtf2nbrexx3vqjhp42",
  reason: "Sale of the pool 2026-01",
};

export const batch = {
  control_batch_id,
  kind: "assign",
  state: "proposed",
  reason: "Sale of the pool 2026-01",
  act_id,
  root: sha256,
  count: 2,
  done: 0,
  skipped: 0,
  created_by: { kind: "key", id: "lk_01h2xcejqtf2nbrexx3vqjhp41" },
  created_at,
  finished_at: null,
};

export const item = {
  index: 0,
  envelope_id,
  record_name: "Promissory note 2026-114",
  copy_sha256: sha256,
  expected_version: 2,
  present_party: { party_id: "pty_01h2xcejqtf2nbrexx3vqjhp41", name: "First Example Bank, N.A.", identifier: null },
  state: "waiting",
  code: null,
  result: null,
  settled_at: null,
};

export const items = { items: [item], total: 2 };

export const report = {
  document: {
    type: "countersign/control-batch-report/1",
    org_id: "org_01h2xcejqtf2nbrexx3vqjhp41",
    control_batch_id,
    kind: "assign",
    act_id,
    act_sha256: sha256,
    root: sha256,
    count: 1,
    done: 1,
    skipped: 0,
    created_at,
    finished_at: "2026-01-06T08:00:02.000Z",
    items: [
      { index: 0, envelope_id, copy_sha256: sha256, state: "done", code: null, result: null, settled_at: "2026-01-06T08:00:01.000Z" },
    ],
    key_id: "5b1f0c2d",
  },
  signature: "0".repeat(128),
};
