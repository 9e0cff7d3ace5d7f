-- phase: expand
-- mode: transaction
-- A sandbox is an organization for tests, tied to a live one. Its id says so: an id is a UUID in base 32, of version 8 for a sandbox and
-- version 7 for every other organization. The eleventh character after the prefix contains the version.
create function is_sandbox_id(p_org_id text) returns boolean
language sql immutable strict parallel safe as $$ select substr(p_org_id, 15, 1) in ('g', 'h') $$;

alter table orgs add column sandbox_of text collate "C";
alter table orgs add constraint orgs_sandbox_of foreign key (sandbox_of) references orgs (org_id) not valid;
alter table orgs add constraint orgs_sandbox_id check ((sandbox_of is null) <> is_sandbox_id(org_id)) not valid;
grant select (sandbox_of) on orgs to countersign_app;

-- Messages of a sandbox are read in its outbox and never sent: they are due at no time.
alter table mail_messages add column captured boolean not null default false,
  add constraint mail_captured check (not captured or next_attempt_at = 'infinity') not valid;

-- The sandboxes of an organization. Waits for one that is being created; from then on none is created until the transaction ends. So a change
-- reaches every sandbox, whichever of the two came first.
create function sandboxes_of(p_org_id text) returns setof text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from orgs o where o.org_id = p_org_id for share;
  return query select o.org_id from orgs o where o.sandbox_of = p_org_id;
end $$;
revoke all on function sandboxes_of from public;

-- Members of an organization are members of its sandboxes, with the same role. Nobody else changes the members of a sandbox. Each statement in
-- a loop sees what was committed while `sandboxes_of` waited.
create function mirror_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  box text;
begin
  if is_sandbox_id(coalesce(new.org_id, old.org_id)) then
    return null;
  end if;
  for box in select b from sandboxes_of(coalesce(new.org_id, old.org_id)) b loop
    if tg_op = 'DELETE' then
      update sessions s set ended_at = now() where s.org_id = box and s.user_id = old.user_id and s.ended_at is null;
      delete from members m where m.org_id = box and m.user_id = old.user_id;
    else
      insert into members (org_id, user_id, role, entry, break_glass, created_at)
        values (box, new.user_id, new.role, new.entry, new.break_glass, new.created_at)
        on conflict (org_id, user_id) do update set role = excluded.role, entry = excluded.entry, break_glass = excluded.break_glass;
    end if;
  end loop;
  return null;
end $$;
revoke all on function mirror_member from public;
create trigger members_mirror after insert or update or delete on members for each row execute function mirror_member();

-- What an organization demands of log-ins, sessions and keys holds in its sandboxes.
create function mirror_security() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  box text;
begin
  if is_sandbox_id(new.org_id) then
    return null;
  end if;
  for box in select b from sandboxes_of(new.org_id) b loop
    update org_security s set second_factor = new.second_factor, second_factor_since = new.second_factor_since, grace_days = new.grace_days,
        remember_device_days = new.remember_device_days, idle_minutes = new.idle_minutes, max_hours = new.max_hours,
        min_password = new.min_password, max_key_days = new.max_key_days, sso_mode = new.sso_mode, allowed_cidrs = new.allowed_cidrs,
        min_identity_level = new.min_identity_level, embed_identity = new.embed_identity, updated_at = new.updated_at
      where s.org_id = box;
  end loop;
  return null;
end $$;
revoke all on function mirror_security from public;
create trigger security_mirror after update on org_security for each row execute function mirror_security();

-- Creates a sandbox of the organization of the connection, with its members, its demands and the look of its pages. Null if it has as many as
-- it may have. A member who joins meanwhile waits, and is then repeated by the trigger.
create function create_sandbox(p_org_id text, p_sandbox_id text, p_name text, p_most integer) returns timestamptz
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  made timestamptz;
begin
  if p_org_id is distinct from app_org() then
    raise exception 'only the organization itself makes a sandbox';
  end if;
  perform from orgs o where o.org_id = p_org_id and o.sandbox_of is null for update;
  if not found then
    raise exception 'a sandbox has no sandboxes';
  end if;
  if (select count(*) from orgs o where o.sandbox_of = p_org_id) >= p_most then
    return null;
  end if;
  insert into orgs (org_id, name, sandbox_of) values (p_sandbox_id, p_name, p_org_id) returning created_at into made;
  insert into org_settings (org_id, default_locale, time_zone, branding, logo)
    select p_sandbox_id, s.default_locale, s.time_zone, s.branding, s.logo from org_settings s where s.org_id = p_org_id;
  insert into org_security (org_id, second_factor, second_factor_since, grace_days, remember_device_days, idle_minutes, max_hours, min_password,
      max_key_days, sso_mode, allowed_cidrs, min_identity_level, embed_identity)
    select p_sandbox_id, s.second_factor, s.second_factor_since, s.grace_days, s.remember_device_days, s.idle_minutes, s.max_hours,
      s.min_password, s.max_key_days, s.sso_mode, s.allowed_cidrs, s.min_identity_level, s.embed_identity
    from org_security s where s.org_id = p_org_id;
  insert into members (org_id, user_id, role, entry, break_glass, created_at)
    select p_sandbox_id, m.user_id, m.role, m.entry, m.break_glass, m.created_at from members m where m.org_id = p_org_id;
  return made;
end $$;
revoke all on function create_sandbox from public;
grant execute on function create_sandbox to countersign_app;

-- Of all organizations, or of all sandboxes: the trust document of each has its own.
create function list_seals_of(p_test boolean) returns table (
  certificate_sha256 text, not_before timestamptz, not_after timestamptz, revoked_at timestamptz, invalid_from timestamptz, reason text
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.certificate_sha256, min(s.not_before), max(s.not_after), min(s.revoked_at), min(s.invalid_from),
    (array_agg(s.revoked_reason order by s.invalid_from) filter (where s.revoked_at is not null))[1]
  from seal_keys s where is_sandbox_id(s.org_id) = p_test group by 1 order by 1
$$;
revoke all on function list_seals_of from public;
grant execute on function list_seals_of to countersign_app;

-- As before, except that a captured message stays: nothing was withdrawn that anyone could have received.
create or replace function withdraw_mail(p_about text, p_to text) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    update mail_messages set state = 'failed', last_error = 'withdrawn', body_enc = null
    where org_id = app_org() and about = p_about and state = 'queued' and not captured and (p_to is null or to_address = p_to) returning 1)
  select count(*) from gone
$$;

-- As before, without messages that are never sent.
create or replace function waiting_to_leave() returns table (what text, waiting bigint, oldest timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  select 'messages', count(*), min(created_at) from mail_messages where state = 'queued' and not captured
  union all
  select 'webhook deliveries', count(*), min(created_at) from webhook_deliveries where status = 'pending'
$$;
create or replace function withdraw_mail_before(p_time timestamptz) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    update mail_messages set state = 'failed', last_error = 'withdrawn', body_enc = null
    where state = 'queued' and not captured and created_at < p_time returning 1)
  select count(*) from gone
$$;

-- As before, without sandboxes: their members are reminded as members of the organization.
create or replace function find_factor_reminders() returns table (org_id text, user_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, m.user_id from org_security o join members m using (org_id)
  where o.second_factor = 'required' and not is_sandbox_id(m.org_id) and greatest(o.second_factor_since, m.created_at) < now() - interval '1 day'
    and coalesce(m.factor_reminded_at < o.second_factor_since, true)
    and factor_due_at(m.org_id, m.user_id) between now() and now() + interval '1 day'
  order by m.org_id, m.user_id
$$;
