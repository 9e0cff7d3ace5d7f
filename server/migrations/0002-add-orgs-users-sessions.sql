-- Organizations, the people in them, and how they sign in.

create table orgs (
  org_id text collate "C" primary key,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table users (
  user_id text collate "C" primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Two addresses are one when they differ in the case of ASCII letters. Folding more of Unicode would make look-alikes equal:
-- a dotted capital I, or the Kelvin sign, would reach somebody else's account.
create function email_key(email text) returns text language sql immutable strict parallel safe
  as $$ select lower(email collate "C") $$;
create unique index users_email on users (email_key(email));
-- No org, so no policy: columns only, and a password hash is never among what can be read.
grant select (org_id, name, created_at, updated_at), insert (org_id, name), update (name, updated_at) on orgs to countersign_app;
grant select (user_id, email, name, created_at), insert (user_id, email, name, password_hash), update (name, password_hash, updated_at)
  on users to countersign_app;

create table org_settings (
  org_id text collate "C" primary key references orgs,
  embed_origins text[] not null default '{}',
  min_retention_days integer not null default 2557,
  default_custodian_user_id text collate "C",
  require_external_time boolean not null default false,
  default_locale text not null default 'en',
  branding jsonb not null default '{}',
  updated_at timestamptz not null default now()
);
create table members (
  org_id text collate "C" not null references orgs,
  user_id text collate "C" not null references users,
  role text not null check (role in ('admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);
create index members_user on members (user_id);
create table invitations (
  org_id text collate "C" not null references orgs,
  invitation_id text collate "C" not null,
  email text not null,
  role text not null check (role in ('admin', 'member', 'viewer')),
  token_hash bytea not null unique,
  invited_by text collate "C",
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, invitation_id)
);
create table sessions (
  org_id text collate "C" not null references orgs,
  session_id text collate "C" not null,
  user_id text collate "C" not null references users,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- where the person went on, when they moved to another of their orgs
  moved_to_org_id text collate "C",
  moved_to_session_id text collate "C",
  primary key (org_id, session_id)
);
create unique index sessions_id on sessions (session_id);
create index sessions_user on sessions (user_id) where ended_at is null;
create index sessions_age on sessions (expires_at);
-- The family of a refresh token is its session: reuse of a used token ends the session.
create table refresh_tokens (
  token_hash bytea primary key,
  org_id text collate "C" not null,
  session_id text collate "C" not null,
  created_at timestamptz not null default now(),
  idle_until timestamptz not null,
  used_at timestamptz,
  foreign key (org_id, session_id) references sessions on delete cascade
);
create index refresh_tokens_session on refresh_tokens (org_id, session_id);

alter table org_settings enable row level security;
alter table members enable row level security;
alter table invitations enable row level security;
alter table sessions enable row level security;
alter table refresh_tokens enable row level security;
create policy own_org on org_settings using (org_id = app_org());
create policy own_org on members using (org_id = app_org());
create policy own_org on invitations using (org_id = app_org());
create policy own_org on sessions using (org_id = app_org());
create policy own_org on refresh_tokens using (org_id = app_org());
grant select, insert, update on org_settings, members, invitations, sessions, refresh_tokens to countersign_app;
grant delete on members to countersign_app;

create table password_resets (
  token_hash bytea primary key,
  user_id text collate "C" not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_user on password_resets (user_id);

-- One row: whether the first org was made. The nonce makes the set-up link of each database its own.
create table instance_setup (
  only_row boolean primary key default true check (only_row),
  nonce uuid not null default gen_random_uuid(),
  done_at timestamptz
);
insert into instance_setup default values;
grant select on instance_setup to countersign_app;

-- Doors: what must be found before an org is known ----------------------------------------------------------------------

-- The row's lock makes one winner of any number of callers.
create function claim_setup() returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with won as (update instance_setup set done_at = now() where done_at is null returning 1) select exists (select from won)
$$;
create function find_login(p_email text) returns table (user_id text, password_hash text)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.user_id, u.password_hash from users u where email_key(u.email) = email_key(p_email)
$$;
-- Whether the password that was checked is still the person's. The lock makes a change wait until the session that is being
-- started is there to be ended by it.
create function confirm_login(p_user_id text, p_password_hash text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  select exists (select from users u where u.user_id = p_user_id and u.password_hash = p_password_hash for share)
$$;
-- The same password under newer parameters; a password that was changed meanwhile stays.
create function renew_password_hash(p_user_id text, p_old text, p_new text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with renewed as (update users set password_hash = p_new where user_id = p_user_id and password_hash = p_old returning 1)
  select exists (select from renewed)
$$;
-- Of several orgs the one that was used last comes first.
create function orgs_of_user(p_user_id text) returns table (org_id text, name text, role text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, o.name, m.role from members m join orgs o using (org_id)
  where m.user_id = p_user_id
  order by (select max(s.created_at) from sessions s where s.org_id = m.org_id and s.user_id = m.user_id) desc nulls last, m.created_at
$$;
create function find_refresh_token(p_token_hash bytea) returns table (org_id text, session_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.org_id, t.session_id from refresh_tokens t where t.token_hash = p_token_hash
$$;
create function find_invitation(p_token_hash bytea) returns table (org_id text, invitation_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select i.org_id, i.invitation_id from invitations i where i.token_hash = p_token_hash
$$;
create function add_password_reset(p_email text, p_token_hash bytea, p_life interval) returns table (user_id text, email text)
language sql security definer set search_path = public, pg_temp as $$
  with u as (select u.user_id, u.email from users u where email_key(u.email) = email_key(p_email)),
  added as (insert into password_resets (token_hash, user_id, expires_at) select p_token_hash, u.user_id, now() + p_life from u)
  select u.user_id, u.email from u
$$;
create function is_password_reset(p_token_hash bytea) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from password_resets where token_hash = p_token_hash and used_at is null and expires_at > now())
$$;
-- One use: the reset, and every other open one of the person, is spent; null when it was not good.
create function use_password_reset(p_token_hash bytea) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_user text;
begin
  update password_resets set used_at = now()
    where token_hash = p_token_hash and used_at is null and expires_at > now() returning user_id into found_user;
  update password_resets set used_at = now() where user_id = found_user and used_at is null;
  return found_user;
end $$;
-- A person's sessions live in several orgs.
create function end_sessions_of_user(p_user_id text) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with ended as (update sessions set ended_at = now() where user_id = p_user_id and ended_at is null returning 1)
  select count(*) from ended
$$;
create function forget_sessions(p_age interval) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with old_resets as (delete from password_resets where expires_at < now() - p_age returning 1),
  gone as (delete from sessions where expires_at < now() - p_age or ended_at < now() - p_age returning 1)
  select count(*) from gone
$$;
create function list_orgs() returns table (org_id text, name text, members bigint, created_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.org_id, o.name, (select count(*) from members m where m.org_id = o.org_id), o.created_at from orgs o order by o.org_id
$$;

-- Authentication of a console session, in one statement: session, role, quota of the person, and the connection's org.
create function authenticate_session(p_session_id text, p_quota integer)
returns table (org_id text, user_id text, role text, accepted boolean, quota integer, remaining integer, reset_at bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', false);
  select se.org_id, se.user_id, m.role into s
    from sessions se join members m on m.org_id = se.org_id and m.user_id = se.user_id
    where se.session_id = p_session_id and se.ended_at is null and se.expires_at > now();
  if not found then
    return;
  end if;
  -- Once a minute is fine enough for a list of sessions, and saves a write per call.
  update sessions se set last_used_at = now()
    where se.org_id = s.org_id and se.session_id = p_session_id and se.last_used_at < now() - interval '1 minute';
  perform set_config('app.org', s.org_id, false);
  return query select s.org_id, s.user_id, s.role, q.accepted, p_quota, q.remaining, q.reset_at
    from take_quota('user:' || s.user_id, p_quota, interval '1 minute') q;
end $$;

revoke all on function claim_setup, find_login, confirm_login, renew_password_hash, orgs_of_user, find_refresh_token, find_invitation, add_password_reset, is_password_reset,
  use_password_reset, end_sessions_of_user, forget_sessions, list_orgs, authenticate_session from public;
grant execute on function claim_setup, find_login, confirm_login, renew_password_hash, orgs_of_user, find_refresh_token, find_invitation, add_password_reset, is_password_reset,
  use_password_reset, end_sessions_of_user, forget_sessions, list_orgs, authenticate_session to countersign_app;
