-- What people of a party may look at as auditors: named records, or all that match a filter at the moment of looking.
create table audit_grants (
  org_id text collate "C" not null,
  grant_id text collate "C" not null,
  party_id text collate "C" not null,
  envelope_ids text[],
  -- { customer_id?, controller_party_id?, external_ids? }
  filter jsonb,
  may_download boolean not null,
  until timestamptz not null,
  granted_by jsonb not null,
  granted_at timestamptz not null,
  revoked_at timestamptz,
  primary key (org_id, grant_id),
  foreign key (org_id, party_id) references parties,
  check ((envelope_ids is null) <> (filter is null))
);
create index audit_grants_of_party on audit_grants (org_id, party_id) where revoked_at is null;
alter table audit_grants enable row level security;
create policy own_org on audit_grants using (org_id = app_org());
grant select, insert on audit_grants to countersign_app;
grant update (revoked_at) on audit_grants to countersign_app;

-- The grants of all orgs that a person has now: neither ended nor revoked, of a party for which they act.
create function audit_grants_of_person(p_person_id text, p_limit integer) returns table (org_id text, grant_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select g.org_id, g.grant_id from party_people pp join audit_grants g on g.org_id = pp.org_id and g.party_id = pp.party_id
  where pp.person_id = p_person_id and pp.state <> 'removed' and g.revoked_at is null and g.until > now()
  order by g.grant_id desc limit p_limit
$$;
revoke all on function audit_grants_of_person from public;
grant execute on function audit_grants_of_person to countersign_app;
