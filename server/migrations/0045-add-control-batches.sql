-- One act on many records, or one order to evaluate them or to collect their evidence. Each item has its own result.
create table control_batches (
  org_id text collate "C" not null references orgs,
  control_batch_id text collate "C" not null,
  kind text not null
    check (kind in ('designate', 'assign', 'pledge', 'release_pledge', 'move_custody', 'transfer_out', 're_evaluate', 'evidence')),
  reason text not null,
  -- of the Merkle tree over the items, which the document of the act names
  root text collate "C" not null check (root ~ '^[0-9a-f]{64}$'),
  count integer not null check (count between 1 and 5000),
  created_by jsonb not null,
  created_at timestamptz not null,
  -- of the audit entry that it was created, which is the cause of the evaluations of a batch without an act
  entry_hash text collate "C" not null,
  -- only without an act; with one, the act is cancelled
  cancelled_at timestamptz,
  finished_at timestamptz,
  -- canonical JSON, saved when the last item has its result and signed directly afterwards
  report text,
  report_signature text collate "C" check (report_signature ~ '^[0-9a-f]{128}$'),
  primary key (org_id, control_batch_id),
  check ((finished_at is null) = (report is null)),
  check (report is not null or report_signature is null)
);

-- Kept as those who decided saw them: what is hashed into the tree does not change with a new name of the envelope.
create table control_batch_items (
  org_id text collate "C" not null,
  control_batch_id text collate "C" not null,
  -- counts from 0, the order of the tree
  index integer not null,
  envelope_id text collate "C" not null,
  copy_sha256 text collate "C" not null,
  expected_version integer not null,
  record_name text not null,
  present_party jsonb,
  -- the hashes that lead from the item to the root
  proof text[] not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'skipped')),
  -- why it was skipped
  code text,
  -- of an evaluation or a bundle
  result jsonb,
  settled_at timestamptz,
  primary key (org_id, control_batch_id, index),
  unique (org_id, control_batch_id, envelope_id),
  foreign key (org_id, control_batch_id) references control_batches,
  foreign key (org_id, envelope_id) references envelopes,
  check ((state = 'waiting') = (settled_at is null)),
  check ((state = 'skipped') = (code is not null))
);
create index batches_of_envelope on control_batch_items (org_id, envelope_id);
create index items_that_wait on control_batch_items (org_id, control_batch_id, index) where state = 'waiting';

alter table control_acts
  add column control_batch_id text collate "C",
  add foreign key (org_id, control_batch_id) references control_batches,
  add check (control_batch_id is null or envelope_id is null);
create unique index act_of_batch on control_acts (org_id, control_batch_id) where control_batch_id is not null;

alter table control_batches enable row level security;
alter table control_batch_items enable row level security;
create policy own_org on control_batches using (org_id = app_org());
create policy own_org on control_batch_items using (org_id = app_org());
grant select, insert on control_batches, control_batch_items to countersign_app;
grant update (cancelled_at, finished_at, report, report_signature) on control_batches to countersign_app;
grant update (state, code, result, settled_at) on control_batch_items to countersign_app;
