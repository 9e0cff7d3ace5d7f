-- An account belongs to the owner of its address. Nothing tells accounts whose address was proven from others, so every account that is
-- there starts unverified; it keeps its organizations, and joins a further one once the address is proven.

alter table users
  add column email_verified_at timestamptz,
  add column email_verified_by text check (email_verified_by in ('mail', 'operator', 'sso')),
  -- the only organization that an unverified account can be in; null for a verified one, and for those from before
  add column bound_org_id text collate "C" references orgs,
  add constraint users_verified check ((email_verified_at is null) = (email_verified_by is null)),
  add constraint users_bound check (bound_org_id is null or email_verified_at is null);
grant select (email_verified_at, email_verified_by, bound_org_id), insert (email_verified_at, email_verified_by, bound_org_id)
  on users to countersign_app;

-- What accepting proves about the address: the link was only mailed to it, or the operator printed it. Null: the inviting admin saw the
-- link, which therefore proves nothing. That is so of every invitation from before.
alter table invitations add column proves text check (proves in ('mail', 'operator'));
-- Links for a new password are only mailed, or printed by the operator.
alter table password_resets add column proves text not null default 'mail' check (proves in ('mail', 'operator'));

-- Six digits, mailed to prove an address: one code a person. Only a keyed hash is stored.
create table email_codes (
  user_id text collate "C" primary key references users,
  code_hash bytea not null,
  failures integer not null default 0,
  expires_at timestamptz not null
);

-- The set-up link is printed by one process, once.
alter table instance_setup add column link_printed_at timestamptz, add column link_printed_by text;

-- Doors ----------------------------------------------------------------------------------------------------------------

create function add_email_code(p_user_id text, p_code_hash bytea, p_life interval) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from email_codes where expires_at < now() - interval '1 day';
  insert into email_codes (user_id, code_hash, expires_at) values (p_user_id, p_code_hash, now() + p_life)
    on conflict (user_id) do update set code_hash = excluded.code_hash, failures = 0, expires_at = excluded.expires_at
$$;
-- The row's lock counts tries that come at once. A code that was right, or was tried too often, works no more.
create function try_email_code(p_user_id text, p_code_hash bytea, p_failures integer) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  code record;
begin
  select c.code_hash, c.failures into code from email_codes c where c.user_id = p_user_id and c.expires_at > now() for update;
  if not found or code.failures >= p_failures then
    return 'over';
  end if;
  if code.code_hash = p_code_hash then
    delete from email_codes c where c.user_id = p_user_id;
    return 'right';
  end if;
  update email_codes c set failures = c.failures + 1 where c.user_id = p_user_id;
  return case when code.failures + 1 < p_failures then 'wrong' else 'over' end;
end $$;
-- True when the address was not verified before. A code that waits is no longer needed.
create function verify_email(p_user_id text, p_by text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  delete from email_codes where user_id = p_user_id;
  with verified as (
    update users set email_verified_at = now(), email_verified_by = p_by, bound_org_id = null, updated_at = now()
    where user_id = p_user_id and email_verified_at is null returning 1)
  select exists (select from verified)
$$;
-- An account that is in no organization opens nothing, and no one can sign in to it: accepting an invitation makes it anew. False when it
-- is in one. The row's lock comes first, so that of two acceptances the second sees the membership of the first.
create function renew_account(p_user_id text, p_name text, p_password_hash text, p_verified_by text, p_bound_org_id text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.user_id = p_user_id for update;
  if exists (select from members m where m.user_id = p_user_id) then
    return false;
  end if;
  update users u set name = p_name, password_hash = p_password_hash, bound_org_id = p_bound_org_id, updated_at = now(),
      email_verified_by = p_verified_by, email_verified_at = case when p_verified_by is null then null else now() end
    where u.user_id = p_user_id;
  update sessions s set ended_at = now() where s.user_id = p_user_id and s.ended_at is null;
  update password_resets r set used_at = now() where r.user_id = p_user_id and r.used_at is null;
  delete from email_codes c where c.user_id = p_user_id;
  delete from devices d where d.user_id = p_user_id;
  delete from account_links l where l.user_id = p_user_id;
  return true;
end $$;
-- The person of a session that is live. The locks make log-out and a new password wait until this transaction is through.
create function confirm_session(p_session_id text)
returns table (user_id text, email text, name text, verified boolean, bound_org_id text)
language sql security definer set search_path = public, pg_temp as $$
  select u.user_id, u.email, u.name, u.email_verified_at is not null, u.bound_org_id
  from sessions s join members m on m.org_id = s.org_id and m.user_id = s.user_id join users u on u.user_id = s.user_id
  where s.session_id = p_session_id and s.ended_at is null and s.expires_at > now() for share of s, u
$$;
create function mark_reset_printed(p_token_hash bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
  update password_resets set proves = 'operator' where token_hash = p_token_hash
$$;
create function proof_of_reset(p_token_hash bytea) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select proves from password_resets where token_hash = p_token_hash
$$;
-- True for one process: it prints the link.
create function claim_setup_link(p_by text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with won as (
    update instance_setup set link_printed_at = now(), link_printed_by = p_by
    where done_at is null and link_printed_at is null returning 1)
  select exists (select from won)
$$;
-- Another nonce makes another link, and the one before is void. False once the first organization is there.
create function renew_setup_link(p_by text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with renewed as (
    update instance_setup set nonce = gen_random_uuid(), link_printed_at = now(), link_printed_by = p_by where done_at is null returning 1)
  select exists (select from renewed)
$$;

revoke all on function add_email_code, try_email_code, verify_email, renew_account, confirm_session, mark_reset_printed, proof_of_reset,
  claim_setup_link, renew_setup_link from public;
grant execute on function add_email_code, try_email_code, verify_email, renew_account, confirm_session, mark_reset_printed, proof_of_reset,
  claim_setup_link, renew_setup_link to countersign_app;
