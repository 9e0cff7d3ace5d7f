-- Behind a pooler in transaction mode, what is set on a connection is seen by whoever has it next. With p_local these three doors, otherwise
-- as in 0069, 0077 and 0036, set the organization only until the end of their own statement.
drop function authenticate_key(bytea, inet, text);
create function authenticate_key(p_secret_hash bytea, p_ip inet, p_user_agent text, p_local boolean default false)
returns table (org_id text, key_id text, scopes text[], expires_at timestamptz,
               accepted boolean, quota integer, remaining integer, reset_at bigint, lenient_fields boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  k record;
  u record;
  r record;
  v_reason text;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', p_local);
  select s.org_id, s.key_id, least(s.expires_at, a.expires_at) as ends_at, a.expires_at, a.allowed_cidrs, a.scopes, a.rate_limit_rpm,
      a.lenient_fields into k
    from api_key_secrets s join api_keys a on a.org_id = s.org_id and a.key_id = s.key_id
    where s.secret_hash = p_secret_hash and (s.expires_at is null or s.expires_at > clock_timestamp()) and a.deactivated_at is null;
  if not found then
    return;
  end if;
  v_reason := case
    when k.expires_at <= clock_timestamp() then 'expired'
    when k.allowed_cidrs <> '{}' and (p_ip <<= any(k.allowed_cidrs)) is not true then 'address' end;
  if v_reason is not null then
    -- Many groups of addresses at once are one attack: the first hundred of a minute are recorded.
    if p_ip is not null and (select count(*) from key_refusals f
        where f.org_id = k.org_id and f.key_id = k.key_id and f.minute = date_trunc('minute', now())) < 100 then
      insert into key_refusals as f (org_id, key_id, minute, reason, address_group, ip, user_agent)
        values (k.org_id, k.key_id, date_trunc('minute', now()), v_reason,
          network(set_masklen(p_ip, case family(p_ip) when 4 then 32 else 64 end)), p_ip, left(p_user_agent, 500))
        on conflict on constraint key_refusals_pkey do update set requests = f.requests + 1;
    end if;
    return;
  end if;
  select g.counts, g.ats into u from api_key_usage g where g.org_id = k.org_id and g.key_id = k.key_id for no key update;
  r := quota_take(u.counts, u.ats, k.rate_limit_rpm, interval '1 minute');
  -- A request over the quota does not count, and writes nothing.
  if r.accepted then
    update api_key_usage g set counts = r.counts, ats = r.ats, last_used_at = clock_timestamp(), last_used_ip = p_ip,
        last_used_user_agent = left(p_user_agent, 500)
      where g.org_id = k.org_id and g.key_id = k.key_id;
  end if;
  perform set_config('app.org', k.org_id, p_local);
  return query select k.org_id, k.key_id, k.scopes, k.ends_at, r.accepted, k.rate_limit_rpm, r.remaining, r.reset_at, k.lenient_fields;
end $$;

drop function authenticate_session(text, integer);
create function authenticate_session(p_session_id text, p_quota integer, p_local boolean default false) returns table (
  org_id text, user_id text, role text, accepted boolean, quota integer, remaining integer, reset_at bigint, confirmed boolean, limited boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', p_local);
  select se.org_id, se.user_id, m.role, coalesce(se.confirmed_at > now() - interval '10 minutes', false) as confirmed,
      coalesce(o.second_factor = 'required' and factor_due_at(se.org_id, se.user_id) <= now(), false) as limited into s
    from sessions se join members m on m.org_id = se.org_id and m.user_id = se.user_id left join org_security o on o.org_id = se.org_id
    where se.session_id = p_session_id and se.ended_at is null and se.expires_at > now()
      and session_holds(se.org_id, se.created_at, se.last_used_at);
  if not found then
    return;
  end if;
  -- Once a minute is fine enough for a list of sessions, and saves a write per call.
  update sessions se set last_used_at = now()
    where se.org_id = s.org_id and se.session_id = p_session_id and se.last_used_at < now() - interval '1 minute';
  perform set_config('app.org', s.org_id, p_local);
  return query select s.org_id, s.user_id, s.role, q.accepted, p_quota, q.remaining, q.reset_at, s.confirmed, s.limited
    from take_quota('user:' || s.user_id, p_quota, interval '1 minute') q;
end $$;

drop function authenticate_person(bytea, integer);
create function authenticate_person(p_token_hash bytea, p_quota integer, p_local boolean default false)
returns table (person_id text, email text, began_with text, expires_at timestamptz, accepted boolean, quota integer, remaining integer, reset_at bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', p_local);
  select se.person_id, p.email, se.began_with, se.expires_at into s
    from person_sessions se join people p on p.person_id = se.person_id
    where se.token_hash = p_token_hash and se.ended_at is null and se.expires_at > now();
  if not found then
    return;
  end if;
  return query select s.person_id, s.email, s.began_with, s.expires_at, q.accepted, p_quota, q.remaining, q.reset_at
    from take_quota('person:' || s.person_id, p_quota, interval '1 minute') q;
end $$;

revoke all on function authenticate_key, authenticate_session, authenticate_person from public;
grant execute on function authenticate_key, authenticate_session, authenticate_person to countersign_app;
