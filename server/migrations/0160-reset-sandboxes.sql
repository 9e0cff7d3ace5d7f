-- phase: expand
-- mode: transaction
-- A sandbox is reset or deleted in two steps: a request marks it, ends its keys and sessions and queues a job, and the job removes its data in
-- batches. `resetting_since`: marked, and the job is not done. `reset_at`: when it was done last. `deleted_at`: the row itself goes too, once the
-- store has removed the files.
alter table orgs add column resetting_since timestamptz, add column reset_at timestamptz, add column deleted_at timestamptz;
alter table orgs add constraint orgs_only_sandboxes_reset
  check (is_sandbox_id(org_id) or coalesce(resetting_since, reset_at, deleted_at) is null) not valid;
grant select (resetting_since, reset_at, deleted_at) on orgs to countersign_app;

-- As in 0150, without those that are deleted.
create or replace function sandboxes_of(p_org_id text) returns setof text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from orgs o where o.org_id = p_org_id for share;
  return query select o.org_id from orgs o where o.sandbox_of = p_org_id and o.deleted_at is null;
end $$;

create or replace function create_sandbox(p_org_id text, p_sandbox_id text, p_name text, p_most integer) returns timestamptz
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
  if (select count(*) from orgs o where o.sandbox_of = p_org_id and o.deleted_at is null) >= p_most then
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

-- Marks a sandbox of the organization of the connection, and ends its keys and sessions. Waits for transactions that write there; requests that
-- come later find the mark. False for any other organization.
create function begin_sandbox_reset(p_org_id text, p_sandbox_id text, p_delete boolean) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_org_id is distinct from app_org() then
    raise exception 'only the organization itself resets a sandbox';
  end if;
  perform from orgs o where o.org_id = p_sandbox_id and o.sandbox_of = p_org_id and o.deleted_at is null;
  if not found then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('sandbox ' || p_sandbox_id, 0));
  update orgs o set resetting_since = coalesce(o.resetting_since, clock_timestamp()), updated_at = now(),
      deleted_at = case when p_delete then clock_timestamp() end
    where o.org_id = p_sandbox_id and o.sandbox_of = p_org_id and o.deleted_at is null;
  if not found then
    return false;
  end if;
  update sessions s set ended_at = now() where s.org_id = p_sandbox_id and s.ended_at is null;
  delete from api_key_secrets s where s.org_id = p_sandbox_id;
  if p_delete then
    delete from members m where m.org_id = p_sandbox_id;
  end if;
  return true;
end $$;
revoke all on function begin_sandbox_reset from public;
grant execute on function begin_sandbox_reset to countersign_app;

-- The tables with rows of organizations, those that refer to others before these: in this order they can be emptied.
create function tables_of_orgs() returns table (name name)
language sql stable set search_path = public, pg_temp as $$
  with recursive named as (
    select c.oid, c.relname from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped)
  ), refers as (
    select distinct k.conrelid as child, k.confrelid as parent from pg_constraint k
    where k.contype = 'f' and k.conparentid = 0 and k.conrelid <> k.confrelid
  ), placed (oid, place) as (
    select n.oid, 0 from named n
    union
    select r.parent, p.place + 1 from placed p join refers r on r.child = p.oid join named n on n.oid = r.parent where p.place < 100
  )
  select n.relname from placed p join named n using (oid) group by n.relname order by max(p.place), n.relname
$$;
revoke all on function tables_of_orgs from public;

-- Removes up to p_limit rows of a marked sandbox. 0: nothing is left, and it is ready again, or only waits for its files if it was deleted. Files
-- are released to the sweep of the store, for which their rows and keys stay. The hashes of its entries stay in the log of the installation.
create function reset_sandbox(p_org_id text, p_limit bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  o record;
  t name;
  n bigint;
  gone bigint := 0;
  stays constant name[] := array['orgs', 'members', 'org_settings', 'org_security', 'org_keys', 'seal_keys', 'blobs'];
begin
  select x.sandbox_of, x.resetting_since, x.deleted_at into o from orgs x where x.org_id = p_org_id;
  if not found then
    return 0;
  end if;
  if o.sandbox_of is null then
    raise exception 'only a sandbox is reset';
  end if;
  if o.resetting_since is null then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('sandbox ' || p_org_id, 0));
  -- Those that add rows for all organizations.
  perform pg_advisory_xact_lock(hashtextextended('envelope-buckets', 0));
  perform pg_advisory_xact_lock(hashtextextended('envelope-counts', 0));
  update blobs b set kept = false, put_at = now() where b.org_id = p_org_id and b.kept;
  for t in select x.name from tables_of_orgs() x where x.name <> all (stays) loop
    -- Rows of several partitions can have the same place, but all are of this organization. Rows that refer to others of their table go at once.
    execute format('delete from %1$I where org_id = $1 and ctid = any(array(select ctid from %1$I where org_id = $1 limit $2))', t)
      using p_org_id, case when not exists (
        select from pg_constraint k where k.contype = 'f' and k.conrelid = k.confrelid and k.conrelid = t::regclass) then p_limit - gone end;
    get diagnostics n = row_count;
    gone := gone + n;
    if gone >= p_limit then
      return gone;
    end if;
  end loop;
  if gone > 0 then
    return gone;
  end if;
  delete from org_settings s where s.org_id = p_org_id;
  if o.deleted_at is null then
    insert into org_settings (org_id, default_locale, time_zone, branding, logo)
      select p_org_id, s.default_locale, s.time_zone, s.branding, s.logo from org_settings s where s.org_id = o.sandbox_of;
  else
    delete from members m where m.org_id = p_org_id;
    delete from org_security s where s.org_id = p_org_id;
    delete from seal_keys s where s.org_id = p_org_id;
  end if;
  update orgs x set resetting_since = null, reset_at = clock_timestamp() where x.org_id = p_org_id;
  return 0;
end $$;
revoke all on function reset_sandbox from public;
grant execute on function reset_sandbox to countersign_app;

-- The rows of sandboxes that were deleted, whose data and files are gone.
create function drop_deleted_sandboxes() returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone text[];
begin
  select coalesce(array_agg(o.org_id), '{}') into gone from orgs o
    where o.sandbox_of is not null and o.deleted_at is not null and o.resetting_since is null
      and not exists (select from blobs b where b.org_id = o.org_id);
  delete from org_keys k where k.org_id = any(gone);
  delete from orgs o where o.org_id = any(gone);
  return cardinality(gone);
end $$;
revoke all on function drop_deleted_sandboxes from public;
grant execute on function drop_deleted_sandboxes to countersign_app;
