-- A party whose approvers cannot be reached: two admins propose a new approver, and everyone whose address is known has time to object.
alter table control_acts add column waits_until timestamptz;
grant update (waits_until) on control_acts to countersign_app;
create index acts_that_wait on control_acts (waits_until) where state = 'confirmed' and waits_until is not null;
-- From then on, what the party confirms rests on the organization's word about who acts for it.
alter table parties add column approvers_replaced_at timestamptz;
grant update (approvers_replaced_at) on parties to countersign_app;
alter table act_approvals add column approvers_replaced boolean not null default false;

-- Acts of all orgs whose time to object is over.
create function find_waiting_acts(p_limit integer) returns table (org_id text, act_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.org_id, a.act_id from control_acts a
  where a.state = 'confirmed' and a.waits_until <= now() order by a.waits_until limit p_limit
$$;
revoke all on function find_waiting_acts from public;
grant execute on function find_waiting_acts to countersign_app;

-- As before, and acts that wait for objections, for everyone who acts or ever acted for the party.
create or replace function requests_of_person(p_person_id text, p_limit integer) returns table (org_id text, act_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct n.org_id, n.act_id
  from party_people pp join act_needs n on n.org_id = pp.org_id and n.party_id = pp.party_id
    join control_acts a on a.org_id = n.org_id and a.act_id = n.act_id
  where pp.person_id = p_person_id and (pp.state <> 'removed' and pp.rights = 'approve' and n.asked or a.waits_until is not null)
  order by n.act_id desc limit p_limit
$$;
create or replace function find_act_of_person(p_person_id text, p_act_id text) returns table (org_id text, party_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select n.org_id, n.party_id
  from party_people pp join act_needs n on n.org_id = pp.org_id and n.party_id = pp.party_id
    join control_acts a on a.org_id = n.org_id and a.act_id = n.act_id
  where pp.person_id = p_person_id and n.act_id = p_act_id
    and (pp.state <> 'removed' and pp.rights = 'approve' and n.asked or a.waits_until is not null)
$$;
