-- A registry outside this installation that an organization's acts are registered with.
create table registries (
  org_id text collate "C" primary key references orgs,
  url text not null,
  secret_enc bytea not null,
  -- gate: an act takes effect only when the registry has accepted it. notify: the registry is told afterwards
  mode text not null check (mode in ('notify', 'gate')),
  kinds text[] not null check (cardinality(kinds) > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- One for each act that a registry is asked or told about. The bytes are frozen, so that every attempt asks the same.
create table registrations (
  org_id text collate "C" not null,
  act_id text collate "C" not null,
  mode text not null check (mode in ('notify', 'gate')),
  body bytea not null,
  attempts integer not null default 0,
  -- null: settled
  next_attempt_at timestamptz,
  last_error text,
  -- ignored: the answer came after the act had ended. given_up: there was none in time
  outcome text check (outcome in ('accepted', 'refused', 'told', 'ignored', 'given_up')),
  reference text,
  answer_sha256 text collate "C",
  created_at timestamptz not null,
  give_up_at timestamptz not null,
  settled_at timestamptz,
  primary key (org_id, act_id),
  foreign key (org_id, act_id) references control_acts,
  check ((next_attempt_at is null) = (outcome is not null)),
  check ((settled_at is null) = (outcome is null))
);
create index registrations_due on registrations (next_attempt_at) where next_attempt_at is not null;

alter table registries enable row level security;
alter table registrations enable row level security;
create policy own_org on registries using (org_id = app_org());
create policy own_org on registrations using (org_id = app_org());
grant select, insert, update, delete on registries to countersign_app;
grant select, insert on registrations to countersign_app;
grant update (attempts, next_attempt_at, last_error, outcome, reference, answer_sha256, settled_at) on registrations to countersign_app;

alter table authoritative_copies add column registry_reference text;
grant update (registry_reference) on authoritative_copies to countersign_app;
-- While an act waits for the registry, it has the registry's time.
grant update (expires_at) on control_acts to countersign_app;

create function find_due_registrations(p_limit integer) returns table (org_id text, act_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.org_id, r.act_id from registrations r where r.next_attempt_at <= now() order by r.next_attempt_at limit p_limit
$$;
revoke all on function find_due_registrations from public;
grant execute on function find_due_registrations to countersign_app;
