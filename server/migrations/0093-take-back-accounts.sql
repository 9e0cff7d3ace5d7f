-- Reversing a change of the e-mail address removes what was added to the account since the change was requested. The moment is that of the
-- request: until its link is used, the account is already in the hands of the person who asked for it.
drop function undo_email_change(bytea);
create function undo_email_change(p_undo_hash bytea)
returns table (outcome text, user_id text, email text, undone_email text, requested_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  person record;
  change record;
begin
  select c.user_id into change from email_changes c where c.undo_hash = p_undo_hash;
  select u.user_id, u.email into person from users u where u.user_id = change.user_id for no key update;
  select c.old_email, c.old_verified_by, c.created_at into change from email_changes c
    where c.undo_hash = p_undo_hash and c.undone_at is null and c.undo_until > now() for update;
  if not found then
    return;
  end if;
  begin
    update users u set email = change.old_email, email_verified_by = change.old_verified_by,
        email_verified_at = case when change.old_verified_by is null then null else now() end, updated_at = now()
      where u.user_id = person.user_id;
  exception when unique_violation then
    return query select 'taken', person.user_id::text, person.email::text, person.email::text, change.created_at::timestamptz;
    return;
  end;
  perform cancel_email_change(person.user_id);
  -- Not changes from before: a thief who has the account could change the address again, reverse that, and so void the link of its owner.
  update email_changes c set undone_at = now()
    where c.user_id = person.user_id and c.created_at >= change.created_at and c.undone_at is null;
  perform void_mailed_links(person.user_id);
  return query select 'undone', person.user_id::text, change.old_email::text, person.email::text, change.created_at::timestamptz;
end $$;

-- Removes the factors that count since a moment, also those that wait for a first code, and returns which ones counted.
create function remove_factors_since(p_user_id text, p_since timestamptz) returns table (factor_id text, kind text, name text)
language sql security definer set search_path = public, pg_temp as $$
  delete from factors f where f.user_id = p_user_id and f.confirmed_at is null;
  with apps as (
    delete from factors f where f.user_id = p_user_id and f.confirmed_at >= p_since returning f.factor_id, f.kind, f.name),
  keys as (
    delete from passkeys k where k.user_id = p_user_id and k.created_at >= p_since returning k.factor_id, k.name)
  select factor_id, kind, name from apps union all select factor_id, 'passkey', name from keys order by factor_id
$$;
-- Removes the recovery codes that were made since a moment, and all if no factor is left. Returns how many.
create function remove_recovery_codes_since(p_user_id text, p_since timestamptz) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from recovery_codes c where c.user_id = p_user_id and (c.created_at >= p_since or not has_factor(p_user_id)) returning 1)
  select count(*) from gone
$$;

revoke all on function undo_email_change, remove_factors_since, remove_recovery_codes_since from public;
grant execute on function undo_email_change, remove_factors_since, remove_recovery_codes_since to countersign_app;
