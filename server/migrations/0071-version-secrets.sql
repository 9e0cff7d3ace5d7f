-- Versions of APP_SECRET, so that it can be replaced while values encrypted under the one before are still there.

-- The version in the header of an encrypted value (CSE1 and two bytes); 0 for one from before there were versions.
create function secret_version(p_value bytea) returns integer
language sql immutable parallel safe as $$
  select case when octet_length(p_value) >= 34 and substring(p_value for 4) = 'CSE1'::bytea
    then get_byte(p_value, 4) * 256 + get_byte(p_value, 5) else 0 end
$$;

create table secret_versions (
  version integer primary key check (version between 1 and 65535),
  -- a fixed text, encrypted under this version: a start with another secret is refused
  check_enc bytea not null check (secret_version(check_enc) = version),
  first_seen_at timestamptz not null default now(),
  -- since when new values are encrypted under it; null while it is only accepted
  used_from timestamptz,
  -- from then on it is no longer accepted
  retired_at timestamptz
);
grant select, insert (version, check_enc), update (used_from, retired_at) on secret_versions to countersign_app;

-- Every encrypted value, with the purpose of its key and the context that it is bound to: the same that the code encrypts it with, which
-- therefore never changes. A new column whose name ends in _enc needs a line here and in re_wrap_value.
create view encrypted_values as
  select v.*, (v.place || ' ' || coalesce(v.org_id, '') || ' ' || v.id) collate "C" as "position" from (
    select 'instance_keys.private_key_enc' as place, null as org_id, purpose || ' ' || generation as id, 'seals' as label,
      'instance key ' || purpose || case when generation = 1 then '' else ' ' || generation end as context, private_key_enc as value
      from instance_keys where private_key_enc is not null
    union all
    select 'mail_messages.body_enc', org_id, message_id, 'mail', body_context, body_enc from mail_messages where body_enc is not null
    union all
    select 'mail_senders.dkim_key_enc', org_id, org_id, 'mail', 'mail sender ' || org_id || ' dkim', dkim_key_enc from mail_senders
    union all
    select 'mail_senders.smtp_enc', org_id, org_id, 'mail', 'mail sender ' || org_id || ' smtp', smtp_enc from mail_senders
      where smtp_enc is not null
    union all
    select 'registries.secret_enc', org_id, org_id, 'webhooks', 'registry secret ' || org_id, secret_enc from registries
    union all
    select 'seal_keys.private_key_enc', org_id, seal_id, 'seals', 'seal key ' || org_id || ' ' || seal_id, private_key_enc from seal_keys
      where private_key_enc is not null
    union all
    select 'vault_exports.key_enc', org_id, export_id, 'exports', 'key of ' || export_id, key_enc from vault_exports
      where key_enc is not null
    union all
    select 'vault_transfers.k_enc', org_id, transfer_id, 'exports', 'package key of ' || transfer_id, k_enc from vault_transfers
      where k_enc is not null
    union all
    select 'webhook_endpoints.previous_secret_enc', org_id, endpoint_id, 'webhooks', 'webhook secret ' || org_id || ' ' || endpoint_id,
      previous_secret_enc from webhook_endpoints where previous_secret_enc is not null
    union all
    select 'webhook_endpoints.secret_enc', org_id, endpoint_id, 'webhooks', 'webhook secret ' || org_id || ' ' || endpoint_id, secret_enc
      from webhook_endpoints where secret_enc is not null
  ) v;

-- Only few exports and transfers have a key, and the job asks every minute.
create index vault_exports_with_key on vault_exports (org_id, export_id) where key_enc is not null;
create index vault_transfers_with_key on vault_transfers (org_id, transfer_id) where k_enc is not null;

-- Values of all orgs that are not encrypted under this version, in order, for the job that encrypts them again.
create function values_to_re_wrap(p_version integer, p_after text, p_limit integer)
returns table ("position" text, place text, org_id text, id text, label text, context text, value bytea)
language sql stable security definer set search_path = public, pg_temp as $$
  select v."position", v.place, v.org_id, v.id, v.label, v.context, v.value from encrypted_values v
  where secret_version(v.value) <> p_version and v."position" > p_after collate "C" order by v."position" limit p_limit
$$;

-- Replaces one value by the same text under a version that is in use. False if the value has changed or was erased in the meantime.
create function re_wrap_value(p_place text, p_org_id text, p_id text, p_old bytea, p_new bytea) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from secret_versions where version = secret_version(p_new) and used_from is not null and retired_at is null) then
    raise exception 'the value is not encrypted under a version that is in use';
  end if;
  case p_place
    when 'instance_keys.private_key_enc' then
      update instance_keys set private_key_enc = p_new where purpose || ' ' || generation = p_id and private_key_enc = p_old;
    when 'mail_messages.body_enc' then
      update mail_messages set body_enc = p_new where message_id = p_id and body_enc = p_old;
    when 'mail_senders.dkim_key_enc' then
      update mail_senders set dkim_key_enc = p_new where org_id = p_org_id and dkim_key_enc = p_old;
    when 'mail_senders.smtp_enc' then
      update mail_senders set smtp_enc = p_new where org_id = p_org_id and smtp_enc = p_old;
    when 'registries.secret_enc' then
      update registries set secret_enc = p_new where org_id = p_org_id and secret_enc = p_old;
    when 'seal_keys.private_key_enc' then
      update seal_keys set private_key_enc = p_new where org_id = p_org_id and seal_id = p_id and private_key_enc = p_old;
    when 'vault_exports.key_enc' then
      update vault_exports set key_enc = p_new where org_id = p_org_id and export_id = p_id and key_enc = p_old;
    when 'vault_transfers.k_enc' then
      update vault_transfers set k_enc = p_new where org_id = p_org_id and transfer_id = p_id and direction = 'out' and k_enc = p_old;
    when 'webhook_endpoints.previous_secret_enc' then
      update webhook_endpoints set previous_secret_enc = p_new
      where org_id = p_org_id and endpoint_id = p_id and previous_secret_enc = p_old;
    when 'webhook_endpoints.secret_enc' then
      update webhook_endpoints set secret_enc = p_new where org_id = p_org_id and endpoint_id = p_id and secret_enc = p_old;
  end case;
  return found;
end $$;

create function count_secret_values() returns table (version integer, n bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select secret_version(v.value), count(*) from encrypted_values v group by 1 order by 1
$$;

-- As before, with the hashes of the code under every version of the secret.
drop function try_email_code(text, bytea, integer);
create function try_email_code(p_user_id text, p_code_hashes bytea[], p_failures integer) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  code record;
begin
  select c.code_hash, c.failures into code from email_codes c where c.user_id = p_user_id and c.expires_at > now() for update;
  if not found or code.failures >= p_failures then
    return 'over';
  end if;
  if code.code_hash = any(p_code_hashes) then
    delete from email_codes c where c.user_id = p_user_id;
    return 'right';
  end if;
  update email_codes c set failures = c.failures + 1 where c.user_id = p_user_id;
  return case when code.failures + 1 < p_failures then 'wrong' else 'over' end;
end $$;

revoke all on function values_to_re_wrap, re_wrap_value, count_secret_values, try_email_code from public;
grant execute on function values_to_re_wrap, re_wrap_value, count_secret_values, try_email_code to countersign_app;
