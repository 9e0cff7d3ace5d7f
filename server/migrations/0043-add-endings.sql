-- How a record ends: replaced by paper, or destroyed.
alter table authoritative_copies drop constraint authoritative_copies_state_check;
alter table authoritative_copies add constraint authoritative_copies_state_check
  check (state in ('active', 'escrowed', 'exported', 'tampered', 'destroying', 'destroyed', 'transferred', 'papering', 'papered'));

create table record_endings (
  org_id text collate "C" not null,
  ending_id text collate "C" not null,
  kind text not null check (kind in ('paper', 'destruction')),
  state text not null default 'begun' check (state in ('begun', 'done', 'cancelled')),
  envelope_id text collate "C" not null,
  copy_id text collate "C" not null,
  act_id text collate "C" not null,
  reason text not null,
  -- the electronic record ended then
  begun_at timestamptz not null,
  done_at timestamptz,
  -- of paper: who gets the one PDF to print
  recipient jsonb,
  person_id text collate "C" references people,
  pdf_sha256 text collate "C",
  pdf_size integer,
  downloaded_at timestamptz,
  -- of a destruction: [{ what, sha256, size, kept }]; kept: another record or a template uses the same bytes
  files jsonb,
  -- the sealed certificate; null until a job has made it
  certificate_sha256 text collate "C",
  primary key (org_id, ending_id),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, copy_id) references authoritative_copies,
  foreign key (org_id, act_id) references control_acts,
  foreign key (org_id, pdf_sha256) references blobs (org_id, sha256),
  foreign key (org_id, certificate_sha256) references blobs (org_id, sha256),
  check ((kind = 'paper') = (recipient is not null) and (kind = 'paper') = (person_id is not null)),
  check ((state = 'begun') = (done_at is null))
);
create unique index ending_of_copy on record_endings (org_id, copy_id, kind) where state <> 'cancelled';
create index endings_of_recipient on record_endings (person_id, ending_id) where person_id is not null;
alter table record_endings enable row level security;
create policy own_org on record_endings using (org_id = app_org());
grant select, insert on record_endings to countersign_app;
grant update (state, done_at, pdf_sha256, pdf_size, downloaded_at, files, certificate_sha256) on record_endings to countersign_app;

-- The bytes were removed on purpose. The row stays, because others name it.
alter table blobs add column destroyed_at timestamptz;
grant update (destroyed_at) on blobs to countersign_app;

-- A copy is looked at until it has left.
create or replace function find_copies_to_verify(p_age interval, p_limit integer) returns table (org_id text, envelope_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id, c.envelope_id from authoritative_copies c
  where c.state in ('active', 'escrowed', 'papering') and (c.verified_at is null or c.verified_at <= now() - p_age)
  order by c.verified_at nulls first limit p_limit
$$;
create or replace function sample_copies(p_share double precision, p_limit integer) returns table (org_id text, envelope_id text)
language sql volatile security definer set search_path = public, pg_temp as $$
  select c.org_id, c.envelope_id from authoritative_copies c
  where c.state in ('active', 'escrowed', 'papering') and random() < p_share limit p_limit
$$;

-- The papers that a person is to print, newest first.
create function papers_of_person(p_person_id text, p_limit integer) returns table (org_id text, ending_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.org_id, e.ending_id from record_endings e where e.person_id = p_person_id order by e.ending_id desc limit p_limit
$$;
create function find_paper_of_person(p_person_id text, p_ending_id text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select e.org_id from record_endings e where e.person_id = p_person_id and e.ending_id = p_ending_id
$$;
revoke all on function papers_of_person, find_paper_of_person from public;
grant execute on function papers_of_person, find_paper_of_person to countersign_app;
