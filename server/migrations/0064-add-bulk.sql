-- Bulk send: one envelope from a template for each row of a CSV file.

create table bulk_batches (
  org_id text collate "C" not null references orgs,
  batch_id text collate "C" not null,
  template_id text collate "C" not null,
  name text not null,
  state text not null check (state in ('checking', 'checked', 'refused', 'queued', 'running', 'paused', 'ended', 'cancelled')),
  -- why it is paused: a code
  reason text,
  -- what applies to every envelope
  options jsonb not null,
  -- of the file, which is removed once its rows are read
  file_sha256 text not null,
  -- the template as the rows were checked against it: a hash of its document and its fields
  template_sha256 text,
  -- the header of the file
  columns text[] not null default '{}',
  -- why the file was refused
  problems jsonb not null default '[]',
  rows integer not null default 0,
  ready integer not null default 0,
  invalid integer not null default 0,
  sent integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  warned integer not null default 0,
  -- rows that failed one after the other for the same reason of ours, and the first of them
  faults integer not null default 0,
  fault text,
  fault_row integer,
  -- counts starts, so that a job of an earlier one ends
  run_no integer not null default 0,
  -- until when the permitted rows are used up
  paced_until timestamptz,
  created_by jsonb not null,
  -- the request that started it: actor, address, browser
  started_by jsonb,
  certification jsonb,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  queued_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  -- when the contents of its rows were removed
  erased_at timestamptz,
  primary key (org_id, batch_id),
  foreign key (org_id, template_id) references templates
-- Its numbers change with each row. With room on the page, and without changes of indexed columns, old versions are removed at once.
) with (fillfactor = 20);
-- One runs at a time.
create unique index bulk_batches_running on bulk_batches (org_id) where state = 'running';
create index bulk_batches_queued on bulk_batches (org_id, queued_at) where state = 'queued';
create index bulk_batches_by_age on bulk_batches (changed_at) where erased_at is null;

-- The file, until its rows are read.
create table bulk_files (
  org_id text collate "C" not null,
  batch_id text collate "C" not null,
  content bytea not null,
  primary key (org_id, batch_id),
  foreign key (org_id, batch_id) references bulk_batches
);

create table bulk_rows (
  org_id text collate "C" not null,
  batch_id text collate "C" not null,
  -- as a spreadsheet numbers it: the header is row 1
  row_no integer not null,
  state text not null check (state in ('ready', 'invalid', 'sent', 'failed', 'skipped')),
  -- the cells; null after they were erased
  data jsonb,
  errors jsonb not null default '[]',
  warnings jsonb not null default '[]',
  -- written in the transaction that creates the envelope
  envelope_id text collate "C",
  primary key (org_id, batch_id, row_no),
  foreign key (org_id, batch_id) references bulk_batches
);
create index bulk_rows_by_state on bulk_rows (org_id, batch_id, state, row_no);

alter table envelopes add foreign key (org_id, batch_id) references bulk_batches;

alter table bulk_batches enable row level security;
alter table bulk_files enable row level security;
alter table bulk_rows enable row level security;
create policy own_org on bulk_batches using (org_id = app_org());
create policy own_org on bulk_files using (org_id = app_org());
create policy own_org on bulk_rows using (org_id = app_org());
grant select, insert, update (state, reason, template_sha256, columns, problems, rows, ready, invalid, sent, failed, skipped, warned, faults, fault,
  fault_row, run_no, paced_until, started_by, certification, changed_at, queued_at, started_at, ended_at, erased_at) on bulk_batches to countersign_app;
grant select, insert, delete on bulk_files to countersign_app;
grant select, insert, update (state, data, errors, warnings, envelope_id) on bulk_rows to countersign_app;

-- Batches whose contents are to be removed, for the hourly job; it then works per organization.
create function find_old_batches(p_age interval, p_limit integer) returns table (org_id text, batch_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select b.org_id, b.batch_id from bulk_batches b
  where b.erased_at is null and b.changed_at < now() - p_age and b.state not in ('checking', 'queued', 'running')
  order by b.changed_at limit p_limit
$$;
revoke all on function find_old_batches from public;
grant execute on function find_old_batches to countersign_app;
