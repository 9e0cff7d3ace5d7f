-- What mail servers say about a message belongs to the audit trail of its envelope. Messages from before have no envelope here and stay
-- as they are.
alter table mail_messages
  add column envelope_id text collate "C",
  -- when the first report of each kind came from the mail provider; later ones of the same kind are ignored
  add column delivered_at timestamptz,
  add column bounced_at timestamptz,
  add column complained_at timestamptz,
  add foreign key (org_id, envelope_id) references envelopes (org_id, envelope_id),
  add check (envelope_id is null or org_id is not null);

-- Sending and reports run before an org is known. Nothing for a message that is not about an envelope.
create function find_mail_envelope(p_message_id text)
returns table (org_id text, envelope_id text, kind text, to_address text, about text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, m.envelope_id, m.kind, m.to_address, m.about from mail_messages m
  where m.message_id = p_message_id and m.envelope_id is not null
$$;

-- A message that was never handed to a mail server cannot have been delivered by one. If a worker died after the server accepted the
-- message, it was attempted and is still queued: a report about it counts.
create function record_mail_event(p_message_id text, p_event text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with recorded as (
    update mail_messages m set
      delivered_at = case when p_event = 'delivered' then now() else m.delivered_at end,
      bounced_at = case when p_event = 'bounced' then now() else m.bounced_at end,
      complained_at = case when p_event = 'complained' then now() else m.complained_at end
    where m.message_id = p_message_id and m.envelope_id is not null and m.attempts > 0
      and case p_event
        when 'delivered' then m.delivered_at is null
        when 'bounced' then m.bounced_at is null
        when 'complained' then m.complained_at is null
        else false end
    returning 1)
  select exists (select from recorded)
$$;

revoke all on function find_mail_envelope, record_mail_event from public;
grant execute on function find_mail_envelope, record_mail_event to countersign_app;
