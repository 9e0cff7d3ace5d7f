-- A party can be another installation. Its organization there is asked by signed messages, and one of its members decides.

alter table parties add foreign key (org_id, vault_id) references remote_vaults;
create unique index parties_by_vault on parties (org_id, vault_id) where vault_id is not null;

-- Of the organization whose act it is: that another installation is asked, and how far its messages have got.
create table asked_vaults (
  org_id text collate "C" not null,
  act_id text collate "C" not null,
  party_id text collate "C" not null,
  vault_id text collate "C" not null,
  -- as every message of this request names the two sides
  asker_root text collate "C" not null check (asker_root ~ '^[0-9a-f]{64}$'),
  decider_root text collate "C" not null check (decider_root ~ '^[0-9a-f]{64}$'),
  decider_org_id text collate "C" not null,
  asked_at timestamptz not null,
  -- when the other side first took the request
  taken_at timestamptz,
  -- when the other side was heard to know how the act ended; nothing is sent afterwards
  settled_at timestamptz,
  attempts integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  last_error text,
  primary key (org_id, act_id, party_id),
  foreign key (org_id, act_id) references control_acts,
  foreign key (org_id, party_id) references parties,
  foreign key (org_id, vault_id) references remote_vaults
);
create index asked_vaults_due on asked_vaults (next_at) where settled_at is null;

-- Of the organization that is asked: an act of an organization at another installation.
create table remote_requests (
  org_id text collate "C" not null references orgs,
  request_id text collate "C" not null,
  -- the installation that asks, which this organization has pinned
  vault_id text collate "C" not null,
  asker_root text collate "C" not null check (asker_root ~ '^[0-9a-f]{64}$'),
  asker_org_id text collate "C" not null,
  decider_root text collate "C" not null check (decider_root ~ '^[0-9a-f]{64}$'),
  -- theirs
  act_id text collate "C" not null,
  party_id text collate "C" not null,
  org_name text not null,
  -- canonical JSON; the decision is over its hash
  document text not null,
  act_sha256 text collate "C" not null check (act_sha256 ~ '^[0-9a-f]{64}$'),
  received_at timestamptz not null,
  expires_at timestamptz not null,
  updated_at timestamptz not null,
  decision text check (decision in ('confirm', 'refuse')),
  reason text,
  -- { user_id, name, email, key_name }, as the decision states it
  decided_by jsonb,
  decided_at timestamptz,
  -- how the act ended there; unpinned: this organization no longer hears that installation
  outcome text check (outcome in ('effective', 'refused', 'cancelled', 'expired', 'superseded', 'unpinned')),
  closed_at timestamptz,
  -- when the other side was heard to have the decision, or needs it no more
  settled_at timestamptz,
  attempts integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  last_error text,
  primary key (org_id, request_id),
  unique (org_id, vault_id, act_id, party_id),
  foreign key (org_id, vault_id) references remote_vaults,
  check ((decision is null) = (decided_at is null) and (decision is null) = (decided_by is null)),
  check ((outcome is null) = (closed_at is null))
);
create index remote_requests_due on remote_requests (next_at) where decision is not null and settled_at is null;

-- Of either side: what was sent and received, one of each kind.
create table act_messages (
  org_id text collate "C" not null,
  vault_id text collate "C" not null,
  act_id text collate "C" not null,
  party_id text collate "C" not null,
  kind text not null check (kind in ('request', 'decision', 'closing')),
  bytes bytea not null,
  signature bytea not null check (octet_length(signature) = 64),
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, vault_id, act_id, party_id, kind),
  foreign key (org_id, vault_id) references remote_vaults
);

alter table asked_vaults enable row level security;
alter table remote_requests enable row level security;
alter table act_messages enable row level security;
create policy own_org on asked_vaults using (org_id = app_org());
create policy own_org on remote_requests using (org_id = app_org());
create policy own_org on act_messages using (org_id = app_org());
grant select, insert on asked_vaults, remote_requests, act_messages to countersign_app;
grant update (taken_at, settled_at, attempts, next_at, last_error) on asked_vaults to countersign_app;
grant update (updated_at, decision, reason, decided_by, decided_at, outcome, closed_at, settled_at, attempts, next_at, last_error)
  on remote_requests to countersign_app;

-- Requests and decisions of all organizations that have something to send.
create function find_due_act_messages(p_limit integer) returns table (org_id text, vault_id text, act_id text, party_id text, side text)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.org_id, d.vault_id, d.act_id, d.party_id, d.side from (
    select a.org_id, a.vault_id, a.act_id, a.party_id, 'asker' as side, a.next_at from asked_vaults a
    where a.settled_at is null and a.next_at <= now()
    union all
    select r.org_id, r.vault_id, r.act_id, r.party_id, 'decider', r.next_at from remote_requests r
    where r.decision is not null and r.settled_at is null and r.next_at <= now()) d
  order by d.next_at limit p_limit
$$;
revoke all on function find_due_act_messages from public;
grant execute on function find_due_act_messages to countersign_app;
