-- From which addresses members use an organization.
alter table org_security
  -- empty: all addresses
  add column allowed_cidrs cidr[] not null default '{}' check (cardinality(allowed_cidrs) <= 50);
grant update (allowed_cidrs) on org_security to countersign_app;

create function admits_address(p_allowed cidr[], p_ip inet) returns boolean language sql immutable parallel safe
return p_allowed = '{}' or (p_ip <<= any(p_allowed)) is true;

-- Doors ----------------------------------------------------------------------------------------------------------------

-- Also says whether the organization can be used from the address. Without an address: only if it has no list.
drop function orgs_of_user(text);
create function orgs_of_user(p_user_id text, p_ip inet default null)
returns table (org_id text, name text, role text, needs_sso boolean, admits boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, o.name, m.role, (select r.needs_sso from log_in_rule(m.org_id, m.user_id) r),
    coalesce((select admits_address(s.allowed_cidrs, p_ip) from org_security s where s.org_id = m.org_id), true)
  from members m join orgs o using (org_id)
  where m.user_id = p_user_id
  order by (select max(s.created_at) from sessions s where s.org_id = m.org_id and s.user_id = m.user_id) desc nulls last, m.created_at
$$;

-- As in 0086, unless the organization does not admit the address. That is recorded as for keys. Processes of an earlier release name no
-- address, so they find no session of an organization with a list.
drop function authenticate_session(text, integer, boolean);
create function authenticate_session(p_session_id text, p_quota integer, p_local boolean default false, p_ip inet default null,
  p_user_agent text default '') returns table (
  org_id text, user_id text, role text, accepted boolean, quota integer, remaining integer, reset_at bigint, confirmed boolean, limited boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', p_local);
  select se.org_id, se.user_id, m.role, coalesce(se.confirmed_at > now() - interval '10 minutes', false) as confirmed,
      coalesce(o.second_factor = 'required' and factor_due_at(se.org_id, se.user_id) <= now(), false) as limited,
      coalesce(admits_address(o.allowed_cidrs, p_ip), true) as admitted into s
    from sessions se join members m on m.org_id = se.org_id and m.user_id = se.user_id left join org_security o on o.org_id = se.org_id
    where se.session_id = p_session_id and se.ended_at is null and se.expires_at > now()
      and session_holds(se.org_id, se.created_at, se.last_used_at);
  if not found then
    return;
  end if;
  if not s.admitted then
    perform note_sign_in(s.org_id, s.user_id, null, null, p_ip, p_user_agent, 'session', 'refused', 'address');
    return;
  end if;
  -- Once a minute is fine enough for a list of sessions, and saves a write per call.
  update sessions se set last_used_at = now()
    where se.org_id = s.org_id and se.session_id = p_session_id and se.last_used_at < now() - interval '1 minute';
  perform set_config('app.org', s.org_id, p_local);
  return query select s.org_id, s.user_id, s.role, q.accepted, p_quota, q.remaining, q.reset_at, s.confirmed, s.limited
    from take_quota('user:' || s.user_id, p_quota, interval '1 minute') q;
end $$;

-- As in 0080; the address is judged by authenticate_session.
drop function authenticate_member(text, integer, boolean);
create function authenticate_member(p_session_id text, p_quota integer, p_local boolean default false, p_ip inet default null,
  p_user_agent text default '') returns table (
  org_id text, user_id text, role text, accepted boolean, quota integer, remaining integer, reset_at bigint, confirmed boolean, limited boolean,
  sso_connection text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  began text;
  strong boolean;
  needed boolean;
begin
  perform set_config('app.org', '', p_local);
  select se.via, 'sso' = any(se.factors), o.second_factor = 'required' into began, strong, needed
    from sessions se join members m on m.org_id = se.org_id and m.user_id = se.user_id left join org_security o on o.org_id = se.org_id
    where se.session_id = p_session_id
      and (se.via like 'sso:%' or (m.entry = 'any' and (o.sso_mode is distinct from 'required' or m.break_glass)));
  if not found then
    return;
  end if;
  return query select a.org_id, a.user_id, a.role, a.accepted, a.quota, a.remaining, a.reset_at, a.confirmed,
      case when began like 'sso:%' then coalesce(needed, false) and not strong else a.limited end,
      case when began like 'sso:%' then substr(began, 5) end
    from authenticate_session(p_session_id, p_quota, p_local, p_ip, p_user_agent) a;
end $$;

revoke all on function orgs_of_user, authenticate_session, authenticate_member from public;
grant execute on function orgs_of_user, authenticate_session, authenticate_member to countersign_app;
