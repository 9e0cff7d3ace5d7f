-- Documents are encrypted, each under a key of its own. Those keys are encrypted under the key of their org, and that one by a key service.

create table org_keys (
  org_id text collate "C" not null references orgs,
  key_no integer not null check (key_no >= 1),
  -- encrypted by the key service
  wrapped bytea not null,
  -- which key service, and which of its keys
  kek_id text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, key_no)
);
alter table org_keys enable row level security;
create policy own_org on org_keys using (org_id = app_org());
grant select, insert (org_id, key_no, wrapped, kek_id), update (wrapped, kek_id) on org_keys to countersign_app;

-- Documents are also read on connections that have no org, or that have one and are in use, so their keys are read through functions.
create function find_org_key(p_org_id text, p_key_no integer) returns table (key_no integer, wrapped bytea, kek_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.key_no, k.wrapped, k.kek_id from org_keys k where k.org_id = p_org_id and (p_key_no is null or k.key_no = p_key_no)
  order by k.key_no desc limit 1
$$;

-- Keys of all orgs that another key service wraps, for the job that has them wrapped again.
create function find_org_keys_to_re_wrap(p_kek_id text, p_limit integer) returns table (org_id text, key_no integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.org_id, k.key_no from org_keys k where k.kek_id <> p_kek_id order by k.org_id, k.key_no limit p_limit
$$;

-- The key services that are needed, so that a start without one of them is refused.
create function list_key_services() returns table (kek_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct k.kek_id from org_keys k order by 1
$$;

alter table blobs
  -- the key of the bytes, encrypted under the key of the org; null once the bytes are destroyed
  add column key_wrapped bytea,
  add column key_no integer,
  -- none: stored as they are. moving: the key is made, and the bytes are encrypted already or will be soon. v1: encrypted
  add column encryption text not null default 'none' check (encryption in ('none', 'moving', 'v1')),
  -- when the bytes were found missing or damaged, so that the job tries others first
  add column encrypt_tried_at timestamptz,
  add check ((key_wrapped is null) = (key_no is null)),
  add check ((key_wrapped is null) = (encryption = 'none')),
  add foreign key (org_id, key_no) references org_keys;
create index blobs_to_encrypt on blobs (org_id, sha256) where kept and encryption <> 'v1' and destroyed_at is null;
grant insert (key_wrapped, key_no, encryption), update (key_wrapped, key_no, encryption, encrypt_tried_at) on blobs to countersign_app;

create function find_blob_key(p_org_id text, p_sha256 text) returns table (key_no integer, key_wrapped bytea)
language sql stable security definer set search_path = public, pg_temp as $$
  select b.key_no, b.key_wrapped from blobs b where b.org_id = p_org_id and b.sha256 = p_sha256
$$;

-- Referenced blobs of all orgs that are not encrypted yet, for the job that encrypts them.
create function find_blobs_to_encrypt(p_age interval, p_limit integer) returns table (org_id text, sha256 text)
language sql stable security definer set search_path = public, pg_temp as $$
  select b.org_id, b.sha256 from blobs b
  where b.kept and b.encryption <> 'v1' and b.destroyed_at is null and (b.encrypt_tried_at is null or b.encrypt_tried_at <= now() - p_age)
  order by b.org_id, b.sha256 limit p_limit
$$;

create function count_blobs_to_encrypt() returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) from blobs where kept and encryption <> 'v1' and destroyed_at is null
$$;

revoke all on function find_org_key, find_org_keys_to_re_wrap, list_key_services, find_blob_key, find_blobs_to_encrypt,
  count_blobs_to_encrypt from public;
grant execute on function find_org_key, find_org_keys_to_re_wrap, list_key_services, find_blob_key, find_blobs_to_encrypt,
  count_blobs_to_encrypt to countersign_app;

-- The keys of orgs that are wrapped under APP_SECRET are encrypted again with the others when it is replaced.
create or replace view encrypted_values as
  select v.*, (v.place || ' ' || coalesce(v.org_id, '') || ' ' || v.id) collate "C" as "position" from (
    select 'instance_keys.private_key_enc' as place, null as org_id, purpose || ' ' || generation as id, 'seals' as label,
      'instance key ' || purpose || case when generation = 1 then '' else ' ' || generation end as context, private_key_enc as value
      from instance_keys where private_key_enc is not null
    union all
    select 'factors.secret_enc', null, factor_id, 'factors', 'factor ' || factor_id, secret_enc from factors
    union all
    select 'mail_messages.body_enc', org_id, message_id, 'mail', body_context, body_enc from mail_messages where body_enc is not null
    union all
    select 'mail_senders.dkim_key_enc', org_id, org_id, 'mail', 'mail sender ' || org_id || ' dkim', dkim_key_enc from mail_senders
    union all
    select 'mail_senders.smtp_enc', org_id, org_id, 'mail', 'mail sender ' || org_id || ' smtp', smtp_enc from mail_senders
      where smtp_enc is not null
    union all
    -- The key of an org that another key service wraps is that service's to renew.
    select 'org_keys.wrapped', org_id, key_no::text, 'wrap', 'org key ' || org_id || ' ' || key_no, wrapped from org_keys where kek_id = 'local'
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
create or replace function re_wrap_value(p_place text, p_org_id text, p_id text, p_old bytea, p_new bytea) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from secret_versions where version = secret_version(p_new) and used_from is not null and retired_at is null) then
    raise exception 'the value is not encrypted under a version that is in use';
  end if;
  case p_place
    when 'instance_keys.private_key_enc' then
      update instance_keys set private_key_enc = p_new where purpose || ' ' || generation = p_id and private_key_enc = p_old;
    when 'factors.secret_enc' then
      update factors set secret_enc = p_new where factor_id = p_id and secret_enc = p_old;
    when 'mail_messages.body_enc' then
      update mail_messages set body_enc = p_new where message_id = p_id and body_enc = p_old;
    when 'mail_senders.dkim_key_enc' then
      update mail_senders set dkim_key_enc = p_new where org_id = p_org_id and dkim_key_enc = p_old;
    when 'mail_senders.smtp_enc' then
      update mail_senders set smtp_enc = p_new where org_id = p_org_id and smtp_enc = p_old;
    when 'org_keys.wrapped' then
      update org_keys set wrapped = p_new where org_id = p_org_id and key_no::text = p_id and kek_id = 'local' and wrapped = p_old;
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
