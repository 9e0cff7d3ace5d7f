-- A message that asks a party to decide is about an act and belongs to no envelope's trail. Records its first bounce; nothing for other
-- messages, and for one that was never handed to a mail server.
create function take_act_bounce(p_message_id text) returns table (org_id text, about text, to_address text)
language sql security definer set search_path = public, pg_temp as $$
  update mail_messages m set bounced_at = now()
  where m.message_id = p_message_id and m.kind = 'act_asked' and m.org_id is not null and m.about is not null and m.envelope_id is null
    and m.attempts > 0 and m.bounced_at is null
  returning m.org_id, m.about, m.to_address
$$;
revoke all on function take_act_bounce from public;
grant execute on function take_act_bounce to countersign_app;
create index mail_about_acts on mail_messages (org_id, about) where kind = 'act_asked';
