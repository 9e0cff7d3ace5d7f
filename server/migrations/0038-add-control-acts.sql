-- Acts: what changes who controls or keeps a record. Locks are taken in this order: envelopes, authoritative_copies, control_acts, audit_heads.
alter table org_settings add column control_policy text not null default 'attested' check (control_policy in ('attested', 'confirmed'));

alter table authoritative_copies
  add column control_version integer not null default 1,
  -- the secured party on record, if it is one of the parties; null: a name alone, or none, and then the organization
  add column controller_party_id text collate "C",
  add foreign key (org_id, controller_party_id) references parties;
grant update (control_version, controller_party_id) on authoritative_copies to countersign_app;
create index copies_of_controller on authoritative_copies (org_id, controller_party_id) where controller_party_id is not null;

create table control_acts (
  org_id text collate "C" not null references orgs,
  act_id text collate "C" not null,
  kind text not null,
  -- null: about a party's people, or a batch
  envelope_id text collate "C",
  -- canonical JSON; approvals are over its hash
  document text not null,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  state text not null default 'proposed'
    check (state in ('proposed', 'confirmed', 'registering', 'effective', 'refused', 'cancelled', 'expired', 'superseded')),
  expected_version integer,
  proposed_by jsonb not null,
  -- the person behind it; null: the service itself
  principal text collate "C",
  principal_email text,
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  updated_at timestamptz not null,
  primary key (org_id, act_id),
  foreign key (org_id, envelope_id) references envelopes,
  check ((state in ('proposed', 'confirmed', 'registering')) = (closed_at is null)),
  check ((envelope_id is null) = (expected_version is null))
);
create index acts_of_envelope on control_acts (org_id, envelope_id, act_id) where envelope_id is not null;
create index acts_to_expire on control_acts (expires_at) where state in ('proposed', 'registering');
create index acts_by_update on control_acts (org_id, updated_at);

-- Who must confirm an act. Fixed when it is proposed, and part of its document.
create table act_needs (
  org_id text collate "C" not null,
  act_id text collate "C" not null,
  need_no integer not null,
  role text not null check (role in ('controller', 'assignee', 'pledgee', 'party', 'custodian', 'admin', 'approver', 'recipient')),
  party_id text collate "C",
  user_id text collate "C",
  -- false: there is no one to ask, and the policy of the organization lets the act take effect without
  asked boolean not null,
  primary key (org_id, act_id, need_no),
  foreign key (org_id, act_id) references control_acts,
  foreign key (org_id, party_id) references parties
);
create index acts_of_party on act_needs (org_id, party_id) where party_id is not null;

create table act_approvals (
  org_id text collate "C" not null,
  act_id text collate "C" not null,
  approval_no integer not null,
  role text not null,
  party_id text collate "C",
  -- { kind, id } of the credential
  actor jsonb not null,
  principal text collate "C" not null,
  principal_email text not null,
  decision text not null check (decision in ('confirm', 'refuse')),
  method text not null check (method in ('passkey', 'code', 'session', 'key', 'vault_key')),
  proof jsonb,
  -- whether the person is also a member of the organization whose act it is
  is_member boolean not null,
  at timestamptz not null,
  primary key (org_id, act_id, approval_no),
  -- one person, one decision
  unique (org_id, act_id, principal),
  unique (org_id, act_id, principal_email),
  foreign key (org_id, act_id) references control_acts
);

alter table assignments
  add column party_id text collate "C",
  add column act_id text collate "C",
  -- whether the party itself confirmed that the record is assigned to it. corrected: the row named the party wrongly, and the next one replaces it
  add column confirmation text not null default 'unconfirmed' check (confirmation in ('unconfirmed', 'confirmed', 'corrected')),
  add foreign key (org_id, party_id) references parties,
  add foreign key (org_id, act_id) references control_acts;
grant update (party_id, act_id, confirmation) on assignments to countersign_app;

-- Shares of others in a record. The controller stays the controller.
create table participations (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  party_id text collate "C" not null,
  act_id text collate "C" not null,
  share_bp integer not null check (share_bp between 1 and 10000),
  since timestamptz not null,
  primary key (org_id, envelope_id, act_id),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, party_id) references parties,
  foreign key (org_id, act_id) references control_acts
);

create table pledges (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  party_id text collate "C" not null,
  act_id text collate "C" not null,
  since timestamptz not null,
  released_act_id text collate "C",
  released_at timestamptz,
  primary key (org_id, envelope_id, act_id),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, party_id) references parties,
  foreign key (org_id, act_id) references control_acts,
  foreign key (org_id, released_act_id) references control_acts,
  check ((released_act_id is null) = (released_at is null))
);
create unique index pledge_of_party on pledges (org_id, envelope_id, party_id) where released_act_id is null;

alter table control_acts enable row level security;
alter table act_needs enable row level security;
alter table act_approvals enable row level security;
alter table participations enable row level security;
alter table pledges enable row level security;
create policy own_org on control_acts using (org_id = app_org());
create policy own_org on act_needs using (org_id = app_org());
create policy own_org on act_approvals using (org_id = app_org());
create policy own_org on participations using (org_id = app_org());
create policy own_org on pledges using (org_id = app_org());
grant select, insert on control_acts, act_needs, act_approvals, participations, pledges to countersign_app;
grant update (state, closed_at, updated_at) on control_acts to countersign_app;
grant update (released_act_id, released_at) on pledges to countersign_app;

-- A transfer of custody is an act as well, from now on.
alter table custodian_permissions add column act_id text collate "C", add foreign key (org_id, act_id) references control_acts;

-- Open acts of all orgs that have expired.
create function find_due_acts(p_limit integer) returns table (org_id text, act_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.org_id, a.act_id from control_acts a
  where a.state in ('proposed', 'registering') and a.expires_at <= now() order by a.expires_at limit p_limit
$$;

-- The acts of other orgs in which the org of the connection is a party. Row-level security shows it nothing else of them.
create function acts_of_party_org(p_open_only boolean, p_limit integer) returns table (org_id text, act_id text, updated_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.org_id, a.act_id, a.updated_at from control_acts a
  where exists (
      select from act_needs n join parties p on p.org_id = n.org_id and p.party_id = n.party_id
      where n.org_id = a.org_id and n.act_id = a.act_id and n.asked and p.org_ref = app_org())
    and (not p_open_only or a.closed_at is null)
  order by a.act_id desc limit p_limit
$$;
create function find_act_of_party_org(p_act_id text) returns table (org_id text, party_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select n.org_id, n.party_id from act_needs n join parties p on p.org_id = n.org_id and p.party_id = n.party_id
  where n.act_id = p_act_id and n.asked and p.org_ref = app_org()
$$;

-- The acts that ask a party for which a person decides.
create function requests_of_person(p_person_id text, p_limit integer) returns table (org_id text, act_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct n.org_id, n.act_id
  from party_people pp join act_needs n on n.org_id = pp.org_id and n.party_id = pp.party_id
  where pp.person_id = p_person_id and pp.state <> 'removed' and pp.rights = 'approve' and n.asked
  order by n.act_id desc limit p_limit
$$;
-- One of them: the parties for which the person decides.
create function find_act_of_person(p_person_id text, p_act_id text) returns table (org_id text, party_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select n.org_id, n.party_id
  from party_people pp join act_needs n on n.org_id = pp.org_id and n.party_id = pp.party_id
  where pp.person_id = p_person_id and pp.state <> 'removed' and pp.rights = 'approve' and n.asked and n.act_id = p_act_id
$$;
-- The records in which a person's parties hold something, newest first.
create function records_of_person(p_person_id text, p_limit integer)
returns table (org_id text, envelope_id text, party_id text, held_as text)
language sql stable security definer set search_path = public, pg_temp as $$
  with mine as (select pp.org_id, pp.party_id from party_people pp where pp.person_id = p_person_id and pp.state <> 'removed')
  select h.org_id, h.envelope_id, h.party_id, h.held_as from (
    select c.org_id, c.envelope_id, c.controller_party_id as party_id, 'controller' as held_as
      from authoritative_copies c join mine m on m.org_id = c.org_id and m.party_id = c.controller_party_id
    union all
    select g.org_id, g.envelope_id, g.party_id, 'pledgee' from pledges g join mine m using (org_id, party_id) where g.released_act_id is null
    union all
    select s.org_id, s.envelope_id, s.party_id, 'participant' from participations s join mine m using (org_id, party_id)) h
  order by h.envelope_id desc, h.held_as limit p_limit
$$;
-- Who else acts for a person's parties.
create function others_of_person(p_person_id text) returns table (email text, party_name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.email, p.name
  from party_people pp join party_people o on o.org_id = pp.org_id and o.party_id = pp.party_id and o.person_id <> pp.person_id
    join parties p on p.org_id = pp.org_id and p.party_id = pp.party_id
  where pp.person_id = p_person_id and pp.state <> 'removed' and o.state <> 'removed'
  order by o.email, p.name
$$;
-- A person who logs in is known to read the mail of the address, in every party.
create function activate_person(p_person_id text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update party_people set state = 'active' where person_id = p_person_id and state = 'invited'
$$;

revoke all on function find_due_acts, acts_of_party_org, find_act_of_party_org, requests_of_person, find_act_of_person, records_of_person,
  others_of_person, activate_person from public;
grant execute on function find_due_acts, acts_of_party_org, find_act_of_party_org, requests_of_person, find_act_of_person, records_of_person,
  others_of_person, activate_person to countersign_app;
