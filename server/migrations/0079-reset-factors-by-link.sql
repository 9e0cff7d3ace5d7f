-- factor_reset: with the password, it removes the second factors of its person.
alter table account_links drop constraint account_links_purpose_check,
  add constraint account_links_purpose_check check (purpose in ('known_browser', 'not_me', 'factor_reset'));

-- Whose link it is, without using it up. No row when it is not good.
create function find_account_link(p_token_hash bytea, p_purpose text) returns table (user_id text, email text)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.user_id, u.email from account_links l join users u using (user_id)
  where l.token_hash = p_token_hash and l.purpose = p_purpose and l.used_at is null and l.expires_at > now()
$$;
revoke all on function find_account_link from public;
grant execute on function find_account_link to countersign_app;
