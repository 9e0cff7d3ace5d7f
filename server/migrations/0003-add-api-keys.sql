-- API keys. A key has one current secret and, for a while after a rotation, one retiring secret: the primary key of
-- api_key_secrets admits no third.

create table api_keys (
  org_id text collate "C" not null references orgs,
  key_id text collate "C" not null,
  partner_name text not null,
  key_hint text not null,
  scopes text[] not null,
  rate_limit_rpm integer not null check (rate_limit_rpm between 1 and 100000),
  webhook jsonb,
  created_by text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  rotated_at timestamptz,
  deactivated_at timestamptz,
  primary key (org_id, key_id)
);
create table api_key_secrets (
  org_id text collate "C" not null,
  key_id text collate "C" not null,
  state text not null check (state in ('current', 'retiring')),
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  -- the fixed end of a retiring secret; the current one has none
  expires_at timestamptz check ((state = 'retiring') = (expires_at is not null)),
  primary key (org_id, key_id, state),
  foreign key (org_id, key_id) references api_keys
);
-- Written by every request, so apart from what people edit. Updates touch no index and stay on their page.
create table api_key_usage (
  org_id text collate "C" not null,
  key_id text collate "C" not null,
  counts integer[] not null default quota_counts(),
  ats timestamptz[] not null default quota_ats(),
  last_used_at timestamptz,
  primary key (org_id, key_id),
  foreign key (org_id, key_id) references api_keys
) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.5);

alter table api_keys enable row level security;
alter table api_key_secrets enable row level security;
alter table api_key_usage enable row level security;
create policy own_org on api_keys using (org_id = app_org());
create policy own_org on api_key_secrets using (org_id = app_org());
create policy own_org on api_key_usage using (org_id = app_org());
grant select, insert, update on api_keys, api_key_secrets to countersign_app;
grant delete on api_key_secrets to countersign_app;
grant select (org_id, key_id, last_used_at), insert (org_id, key_id) on api_key_usage to countersign_app;

-- Authentication in one statement: live secret, active key, rolling minute, last use, and the connection's org. Always a
-- transaction of its own: inside another it would make that one's commit asynchronous.
create function authenticate_key(p_secret_hash bytea)
returns table (org_id text, key_id text, scopes text[], secret_expires_at timestamptz,
               accepted boolean, quota integer, remaining integer, reset_at bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  k record;
  u record;
  r record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', false);
  select s.org_id, s.key_id, s.expires_at, a.scopes, a.rate_limit_rpm into k
    from api_key_secrets s join api_keys a on a.org_id = s.org_id and a.key_id = s.key_id
    where s.secret_hash = p_secret_hash and (s.expires_at is null or s.expires_at > clock_timestamp()) and a.deactivated_at is null;
  if not found then
    return;
  end if;
  select g.counts, g.ats into u from api_key_usage g where g.org_id = k.org_id and g.key_id = k.key_id for no key update;
  r := quota_take(u.counts, u.ats, k.rate_limit_rpm, interval '1 minute');
  -- A refused request does not count, and writes nothing.
  if r.accepted then
    update api_key_usage g set counts = r.counts, ats = r.ats, last_used_at = clock_timestamp()
      where g.org_id = k.org_id and g.key_id = k.key_id;
  end if;
  perform set_config('app.org', k.org_id, false);
  return query select k.org_id, k.key_id, k.scopes, k.expires_at, r.accepted, k.rate_limit_rpm, r.remaining, r.reset_at;
end $$;
revoke all on function authenticate_key from public;
grant execute on function authenticate_key to countersign_app;
