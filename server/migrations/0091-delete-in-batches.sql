-- Old rows are deleted in batches. One statement for all of them would run into its time limit after a long pause of the workers, delete
-- nothing, and try the same an hour later. Each function returns how many rows it removed; fewer than the limit: it is done.
drop function forget_idempotent_answers(interval);
drop function forget_quotas();
drop function forget_sessions(interval);
drop function forget_mail_bodies();
drop function forget_recent_recipients(interval);
drop function forget_notifications(interval);
drop function forget_form_starts(interval);
drop function forget_webhook_deliveries(interval);
drop function forget_sign_ins(integer);

create function forget_idempotent_answers(p_age interval, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from idempotent_answers where ctid = any(array(
      select ctid from idempotent_answers where created_at < now() - p_age order by created_at limit p_limit)) returning 1)
  select count(*) from gone
$$;

create function forget_quotas(p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from quotas where ctid = any(array(
      select ctid from quotas where forget_at < now() order by forget_at limit p_limit for update skip locked)) returning 1)
  select count(*) from gone
$$;

create index sessions_ended on sessions (ended_at) where ended_at is not null;
create function forget_sessions(p_age interval, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from sessions where ctid = any(array(
      select ctid from sessions where expires_at < now() - p_age or ended_at < now() - p_age limit p_limit)) returning 1)
  select count(*) from gone
$$;

-- Links, unfinished log-ins and browsers of people.
create function forget_log_ins(p_age interval, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with old_resets as (
    delete from password_resets where ctid = any(array(
      select ctid from password_resets where expires_at < now() - p_age limit p_limit)) returning 1),
  old_links as (
    delete from account_links where ctid = any(array(
      select ctid from account_links where expires_at < now() - p_age limit p_limit)) returning 1),
  old_changes as (
    delete from email_changes where ctid = any(array(
      select ctid from email_changes where coalesce(undo_until, expires_at) < now() - p_age limit p_limit)) returning 1),
  old_devices as (
    delete from devices where ctid = any(array(
      select ctid from devices where known_until < now() - p_age or revoked_at < now() - p_age limit p_limit)) returning 1),
  old_logins as (
    delete from pending_logins where ctid = any(array(
      select ctid from pending_logins where expires_at < now() limit p_limit)) returning 1),
  old_factors as (
    delete from factors where ctid = any(array(
      select ctid from factors where confirmed_at is null and created_at < now() - interval '15 minutes' limit p_limit)) returning 1)
  select greatest((select count(*) from old_resets), (select count(*) from old_links), (select count(*) from old_changes),
    (select count(*) from old_devices), (select count(*) from old_logins), (select count(*) from old_factors))
$$;

create function forget_mail_bodies(p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    update mail_messages set body_enc = null,
      last_error = case when state = 'queued' then 'expired' else last_error end,
      state = case when state = 'queued' then 'failed' else state end
    where ctid = any(array(
      select ctid from mail_messages where body_enc is not null and expires_at < now() order by expires_at limit p_limit
      for update skip locked))
    returning 1)
  select count(*) from gone
$$;

-- Messages about an envelope stay, because a signing link works only for the address of its message. So do requests to confirm an act, which
-- show those that were not delivered.
create index mail_messages_of_no_record on mail_messages (created_at) where envelope_id is null and kind <> 'act_asked';
create function forget_mail(p_age interval, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from mail_messages where ctid = any(array(
      select ctid from mail_messages
      where envelope_id is null and kind <> 'act_asked' and created_at < now() - p_age and body_enc is null and state <> 'queued'
      order by created_at limit p_limit)) returning 1)
  select count(*) from gone
$$;

-- People to whom nothing was sent for this long.
create function forget_recent_recipients(p_age interval, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from recent_recipients where ctid = any(array(
      select ctid from recent_recipients where last_used_at < now() - p_age limit p_limit)) returning 1)
  select count(*) from gone
$$;

create function forget_notifications(p_age interval, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from notifications where ctid = any(array(
      select ctid from notifications where created_at < now() - p_age order by created_at limit p_limit)) returning 1)
  select count(*) from gone
$$;

create function forget_form_starts(p_age interval, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from form_starts where ctid = any(array(
      select ctid from form_starts where created_at < now() - p_age order by created_at limit p_limit)) returning 1)
  select count(*) from gone
$$;

create function forget_webhook_deliveries(p_age interval, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from webhook_deliveries where ctid = any(array(
      select ctid from webhook_deliveries where status <> 'pending' and created_at < now() - p_age order by created_at limit p_limit))
    returning 1)
  select count(*) from gone
$$;

create function forget_sign_ins(p_days integer, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from sign_in_events where ctid = any(array(
      select ctid from sign_in_events where last_at < now() - p_days * interval '1 day' order by last_at limit p_limit)) returning 1)
  select count(*) from gone
$$;

revoke all on function forget_idempotent_answers, forget_quotas, forget_sessions, forget_log_ins, forget_mail_bodies, forget_mail,
  forget_recent_recipients, forget_notifications, forget_form_starts, forget_webhook_deliveries, forget_sign_ins from public;
grant execute on function forget_idempotent_answers, forget_quotas, forget_sessions, forget_log_ins, forget_mail_bodies, forget_mail,
  forget_recent_recipients, forget_notifications, forget_form_starts, forget_webhook_deliveries, forget_sign_ins to countersign_app;
