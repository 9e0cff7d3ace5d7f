-- Mail goes out. A worker claims a message, talks to the mail server with no transaction open, and settles what came of it.
-- `attempts` is the fence: only the attempt that was counted last may say that a message was not delivered.
alter table mail_messages
  add column message_id text collate "C",
  add column state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  add column attempts integer not null default 0,
  -- nobody attempts it before: it waits after a failure, or is being attempted right now
  add column next_attempt_at timestamptz not null default now(),
  -- what it is about, an envelope say: when that ends, what still waits is withdrawn
  add column about text collate "C",
  -- reply code and stage, never the server's text: that may repeat what we sent
  add column last_error text;
-- Ids of messages from before: in their order, and before every id that is made from a time.
update mail_messages set message_id = 'msg_0' || lpad(to_hex(mail_id), 25, '0');
update mail_messages set state = 'failed', last_error = 'expired' where body_enc is null;
alter table mail_messages alter column message_id set not null, add unique (message_id);
drop index mail_messages_org;
create index mail_messages_org on mail_messages (org_id, message_id);
create index mail_messages_about on mail_messages (org_id, about) where state = 'queued' and about is not null;
create index mail_messages_due on mail_messages (next_attempt_at) where state = 'queued';

-- Mail of a person has no org, so no connection of an org can see it: sending goes through these, for all mail alike.
create function claim_mail(p_message_id text, p_lease interval)
returns table (to_address text, body_context text, body_enc bytea, attempt integer)
language sql security definer set search_path = public, pg_temp as $$
  update mail_messages m set attempts = m.attempts + 1, next_attempt_at = now() + p_lease
  where m.message_id = p_message_id and m.state = 'queued' and m.body_enc is not null and m.expires_at > now() and m.next_attempt_at <= now()
  returning m.to_address, m.body_context, m.body_enc, m.attempts
$$;

-- What was accepted is sent, whoever tried meanwhile; anything else counts only from the latest attempt.
create function settle_mail(p_message_id text, p_attempt integer, p_state text, p_error text, p_pause interval) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with settled as (
    update mail_messages m set state = p_state, last_error = p_error, next_attempt_at = now() + p_pause,
      sent_at = case when p_state = 'sent' then now() end,
      body_enc = case when p_state = 'queued' then m.body_enc end
    where m.message_id = p_message_id
      and case when p_state = 'sent' then m.state <> 'sent' else m.state = 'queued' and m.attempts = p_attempt end
    returning 1)
  select exists (select from settled)
$$;

-- What has not gone out and has become untrue. An attempt that is under way may still deliver it, and then it was sent.
create function withdraw_mail(p_about text, p_to text) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    update mail_messages set state = 'failed', last_error = 'withdrawn', body_enc = null
    where org_id = app_org() and about = p_about and state = 'queued' and (p_to is null or to_address = p_to) returning 1)
  select count(*) from gone
$$;

create function find_due_mail(p_limit integer) returns table (message_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.message_id from mail_messages m
  where m.state = 'queued' and m.body_enc is not null and m.expires_at > now() and m.next_attempt_at <= now()
  order by m.next_attempt_at limit p_limit
$$;

create or replace function forget_mail_bodies() returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    update mail_messages set body_enc = null,
      last_error = case when state = 'queued' then 'expired' else last_error end,
      state = case when state = 'queued' then 'failed' else state end
    where body_enc is not null and expires_at < now() returning 1)
  select count(*) from gone
$$;

revoke all on function claim_mail, settle_mail, withdraw_mail, find_due_mail from public;
grant execute on function claim_mail, settle_mail, withdraw_mail, find_due_mail to countersign_app;
