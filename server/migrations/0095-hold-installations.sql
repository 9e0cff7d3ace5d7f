-- A held installation sends nothing: no mail, no webhook, no request to another system. A restored one starts held, so that nothing that was
-- sent after its backup goes out again before someone has looked at it.
create table installation_mode (
  only_row boolean primary key default true check (only_row),
  held_since timestamptz,
  -- the operating system's user who held it, or 'restore'
  held_by text,
  check ((held_since is null) = (held_by is null))
);
insert into installation_mode default values;
grant select on installation_mode to countersign_app;

create function hold_installation(p_by text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with held as (update installation_mode set held_since = clock_timestamp(), held_by = p_by where held_since is null returning 1)
  select exists (select from held)
$$;
revoke all on function hold_installation(text) from public;
grant execute on function hold_installation(text) to countersign_app;

create function release_installation() returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with released as (update installation_mode set held_since = null, held_by = null where held_since is not null returning 1)
  select exists (select from released)
$$;
revoke all on function release_installation() from public;
grant execute on function release_installation() to countersign_app;

-- What would leave if the installation were released: how many of each, and since when the oldest waits.
create function waiting_to_leave() returns table (what text, waiting bigint, oldest timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  select 'messages', count(*), min(created_at) from mail_messages where state = 'queued'
  union all
  select 'webhook deliveries', count(*), min(created_at) from webhook_deliveries where status = 'pending'
$$;
revoke all on function waiting_to_leave() from public;
grant execute on function waiting_to_leave() to countersign_app;

create function withdraw_mail_before(p_time timestamptz) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    update mail_messages set state = 'failed', last_error = 'withdrawn', body_enc = null where state = 'queued' and created_at < p_time returning 1)
  select count(*) from gone
$$;
revoke all on function withdraw_mail_before(timestamptz) from public;
grant execute on function withdraw_mail_before(timestamptz) to countersign_app;
