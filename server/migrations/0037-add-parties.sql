-- Parties: who can be assigned a record, hold a pledge on it or receive it. An organization keeps its own list.
create table parties (
  org_id text collate "C" not null references orgs,
  party_id text collate "C" not null,
  -- people: persons act for it at /p/. org: another organization of this installation. vault: another installation
  kind text not null check (kind in ('people', 'org', 'vault')),
  name text not null,
  -- a registration number or the like
  identifier text,
  address text,
  org_ref text collate "C" references orgs,
  vault_id text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, party_id),
  check ((kind = 'org') = (org_ref is not null)),
  check ((kind = 'vault') = (vault_id is not null)),
  check (org_ref <> org_id)
);
create unique index parties_by_identifier on parties (org_id, identifier) where identifier is not null;
create unique index parties_by_org on parties (org_id, org_ref) where org_ref is not null;
create index parties_of_org_ref on parties (org_ref) where org_ref is not null;

-- Who acts for a party. A person is the same one in every party that has the address.
create table party_people (
  org_id text collate "C" not null,
  party_id text collate "C" not null,
  person_id text collate "C" not null references people,
  email text not null,
  name text not null,
  rights text not null check (rights in ('approve', 'view')),
  -- invited: has not logged in since being added
  state text not null default 'invited' check (state in ('invited', 'active', 'removed')),
  added_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (org_id, party_id, person_id),
  foreign key (org_id, party_id) references parties,
  check ((state = 'removed') = (removed_at is not null))
);
create index parties_of_person on party_people (person_id) where state <> 'removed';

alter table parties enable row level security;
alter table party_people enable row level security;
create policy own_org on parties using (org_id = app_org());
create policy own_org on party_people using (org_id = app_org());
grant select, insert on parties, party_people to countersign_app;
grant update (name, identifier, address, updated_at) on parties to countersign_app;
grant update (name, rights, state, removed_at) on party_people to countersign_app;
