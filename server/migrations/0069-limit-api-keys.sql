-- Keys that end at a time and work from chosen addresses only, and what last used them.

alter table api_keys
  add column expires_at timestamptz,
  add column allowed_cidrs cidr[] not null default '{}' check (cardinality(allowed_cidrs) <= 50),
  -- The smallest number of days before the end that the admins got a message about; null again after the end was changed.
  add column warned_days integer,
  -- When the admins last got a message about refused requests.
  add column refusal_mailed_at timestamptz;
create index api_keys_by_end on api_keys (expires_at) where expires_at is not null and deactivated_at is null;

alter table api_key_usage add column last_used_ip inet, add column last_used_user_agent text;
grant select (last_used_ip, last_used_user_agent) on api_key_usage to countersign_app;

-- Requests with a key that has ended, or from an address that it does not allow: a row for each minute, key, reason and group of addresses.
-- A job moves them to the audit chain.
create table key_refusals (
  org_id text not null,
  key_id text not null,
  minute timestamptz not null,
  reason text not null check (reason in ('expired', 'address')),
  address_group cidr not null,
  ip inet not null,
  user_agent text not null,
  requests integer not null default 1,
  primary key (org_id, key_id, minute, reason, address_group),
  foreign key (org_id, key_id) references api_keys
);
alter table key_refusals enable row level security;
create policy own_org on key_refusals using (org_id = app_org());
grant select, delete on key_refusals to countersign_app;

-- As in 0025, and the end of the key and its addresses. A refused request uses no quota.
drop function authenticate_key(bytea);
create function authenticate_key(p_secret_hash bytea, p_ip inet, p_user_agent text)
returns table (org_id text, key_id text, scopes text[], expires_at timestamptz,
               accepted boolean, quota integer, remaining integer, reset_at bigint, lenient_fields boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  k record;
  u record;
  r record;
  v_reason text;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', false);
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
  perform set_config('app.org', k.org_id, false);
  return query select k.org_id, k.key_id, k.scopes, k.ends_at, r.accepted, k.rate_limit_rpm, r.remaining, r.reset_at, k.lenient_fields;
end $$;
revoke all on function authenticate_key from public;
grant execute on function authenticate_key to countersign_app;

-- The keys whose end is so near that their admins need a message. The last one is sent on the last day.
create function find_ending_keys() returns table (org_id text, key_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select org_id, key_id from api_keys
  where deactivated_at is null and expires_at > now() and expires_at <= now() + interval '30 days' and warned_days is distinct from 1
  order by org_id, key_id $$;
revoke all on function find_ending_keys from public;
grant execute on function find_ending_keys to countersign_app;

create function find_orgs_with_refusals() returns table (org_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct org_id from key_refusals where minute < date_trunc('minute', now()) $$;
revoke all on function find_orgs_with_refusals from public;
grant execute on function find_orgs_with_refusals to countersign_app;
