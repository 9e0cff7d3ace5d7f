-- What a message that failed for good was about, for whoever tells its sender. Nothing for a message that belongs to a person.
create function find_failed_mail(p_message_id text) returns table (org_id text, to_address text, about text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, m.to_address, m.about from mail_messages m
  where m.message_id = p_message_id and m.state = 'failed' and m.org_id is not null and m.about is not null
$$;

revoke all on function find_failed_mail from public;
grant execute on function find_failed_mail to countersign_app;
