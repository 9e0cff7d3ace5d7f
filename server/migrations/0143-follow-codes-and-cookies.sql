-- phase: expand
-- mode: transaction
-- A page that waits for a mailed code asks whether the message with the code has left.
alter table email_codes add column message_id text collate "C";

-- As before. A code that replaces a mailed one was not mailed itself, unless note_code_mail says so.
create or replace function add_email_code(p_user_id text, p_code_hash bytea, p_life interval) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from email_codes where expires_at < now() - interval '1 day';
  insert into email_codes (user_id, code_hash, expires_at) values (p_user_id, p_code_hash, now() + p_life)
    on conflict (user_id) do update set code_hash = excluded.code_hash, failures = 0, expires_at = excluded.expires_at, message_id = null
$$;
create function note_code_mail(p_user_id text, p_message_id text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update email_codes set message_id = p_message_id where user_id = p_user_id
$$;
-- The state of the message with the person's code. Nothing without a mailed code that has not expired.
create function state_of_code_mail(p_user_id text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select m.state from email_codes c join mail_messages m on m.message_id = c.message_id where c.user_id = p_user_id and c.expires_at > now()
$$;
-- The same for a person who acts for parties, and one act.
create function state_of_person_code_mail(p_person_id text, p_act_sha256 text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select m.state from person_codes c join mail_messages m on m.message_id = c.message_id
  where c.person_id = p_person_id and c.act_sha256 is not distinct from p_act_sha256 and c.expires_at > now()
$$;
-- The session of a person who acts for parties, without counting a request: for a caller who was admitted before the body arrived.
create function find_person_session(p_token_hash bytea)
returns table (person_id text, email text, began_with text, expires_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.person_id, p.email, s.began_with, s.expires_at from person_sessions s join people p on p.person_id = s.person_id
  where s.token_hash = p_token_hash and s.ended_at is null and s.expires_at > now()
$$;

revoke all on function note_code_mail, state_of_code_mail, state_of_person_code_mail, find_person_session from public;
grant execute on function note_code_mail, state_of_code_mail, state_of_person_code_mail, find_person_session to countersign_app;

-- Over https, cookies of sessions have a prefix from now on. One without it counts only for sessions that earlier programs begin, because a
-- neighbouring host can plant it. Such a session ends after 7 days.
alter table sessions add column cookie_without_prefix boolean not null default true;
