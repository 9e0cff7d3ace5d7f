-- Keys of the installation are replaced without losing what the earlier ones signed: each has a generation and the interval in which it
-- signed. A row stays for ever. Two doors change one: a generation ends when the next one exists, and a seal is revoked once.

alter table instance_keys drop constraint instance_keys_pkey;
alter table instance_keys drop constraint instance_keys_purpose_check;
alter table instance_keys drop constraint instance_keys_check;
alter table instance_keys rename column created_at to not_before;
alter table instance_keys
  alter column private_key_enc drop not null,
  add column generation integer not null default 1 check (generation > 0),
  -- SHA-256 of the public key
  add column key_id text collate "C" generated always as (encode(sha256(public_key), 'hex')) stored,
  add column algorithm text collate "C" check (algorithm in ('ES256', 'ES384', 'EdDSA', 'X25519')),
  add column signer text collate "C" not null default 'local' check (signer in ('local', 'http')),
  -- the name of the key at the signer of SIGNER_URL
  add column signer_ref text collate "C",
  -- null while in use
  add column not_after timestamptz,
  add column revoked_at timestamptz,
  add column invalid_from timestamptz,
  add column reason text;
update instance_keys set algorithm = case purpose when 'root' then 'ES256' else 'EdDSA' end;
alter table instance_keys
  alter column algorithm set not null,
  alter column generation drop default,
  alter column signer drop default,
  add primary key (purpose, generation),
  add unique (key_id),
  add check (purpose in ('root', 'records', 'log', 'vault', 'test_root')),
  -- The roots alone have an X.509 certificate, DER.
  add check ((purpose in ('root', 'test_root')) = (certificate is not null)),
  -- X25519 opens what was encrypted for this vault and signs nothing.
  add check ((purpose = 'vault') = (algorithm = 'X25519')),
  -- A key is either here, encrypted, or at a signer under a name, never both.
  add check ((signer = 'local') = (private_key_enc is not null)),
  add check ((signer = 'http') = (signer_ref is not null)),
  add check ((revoked_at is null) = (invalid_from is null));

revoke all on instance_keys from countersign_app;
grant select,
  insert (purpose, generation, algorithm, certificate, public_key, signer, signer_ref, private_key_enc, not_before)
  on instance_keys to countersign_app;

-- That one root follows another: a statement that both signed, or the new one alone after the old key was lost.
create table root_successions (
  old_root_sha256 text collate "C" primary key check (old_root_sha256 ~ '^[0-9a-f]{64}$'),
  new_root_sha256 text collate "C" not null unique check (new_root_sha256 ~ '^[0-9a-f]{64}$'),
  -- canonical JSON, exactly as it was signed
  bytes bytea not null,
  old_signature bytea,
  new_signature bytea not null,
  at timestamptz not null
);
grant select, insert (old_root_sha256, new_root_sha256, bytes, old_signature, new_signature, at) on root_successions to countersign_app;

alter table seal_keys
  add column revoked_reason text collate "C" check (revoked_reason in ('superseded', 'affiliation_changed', 'key_compromise')),
  -- seals made from then on are not valid, whenever the revocation was recorded
  add column invalid_from timestamptz;
update seal_keys set revoked_reason = 'superseded', invalid_from = revoked_at where revoked_at is not null;
alter table seal_keys
  add check ((revoked_at is null) = (revoked_reason is null)),
  add check ((revoked_at is null) = (invalid_from is null)),
  add check (invalid_from <= revoked_at);

-- Once, and only after the next generation exists: a purpose is never left without a key.
create function end_instance_key(p_purpose text, p_generation integer, p_not_after timestamptz, p_reason text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update instance_keys k set not_after = p_not_after, reason = p_reason
    where k.purpose = p_purpose and k.generation = p_generation and k.not_after is null and p_not_after >= k.not_before
      and exists (select from instance_keys n where n.purpose = k.purpose and n.generation = k.generation + 1)
    returning 1
  )
  select exists (select from ended)
$$;

-- Of the connection's org, once: what was said about a certificate is not taken back. Without p_invalid_from it is invalid from now on.
create function revoke_seal(p_seal_id text, p_reason text, p_invalid_from timestamptz) returns table (revoked_at timestamptz, invalid_from timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  update seal_keys s set revoked_at = n.at, revoked_reason = p_reason, invalid_from = coalesce(p_invalid_from, n.at)
  from (select date_trunc('milliseconds', clock_timestamp()) as at) n
  where s.org_id = app_org() and s.seal_id = p_seal_id and s.revoked_at is null
  returning s.revoked_at, s.invalid_from
$$;

-- The seals of all orgs with the certificate of this one: a purchased certificate seals for several.
create function find_seals_like(p_seal_id text) returns table (org_id text, seal_id text, revoked_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id, s.seal_id, s.revoked_at from seal_keys s
  where s.certificate_sha256 in (select o.certificate_sha256 from seal_keys o where o.seal_id = p_seal_id) order by 1, 2
$$;

-- The revoked certificates that this installation issued, for the list that its root signs.
create function list_revoked_seals() returns table (certificate bytea, issuer bytea, revoked_at timestamptz, reason text, invalid_from timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.certificate, s.issuers[cardinality(s.issuers)], s.revoked_at, s.revoked_reason, s.invalid_from
  from seal_keys s where s.revoked_at is not null and s.generation is not null order by s.revoked_at, s.certificate_sha256
$$;

drop function list_seal_certificates();
-- As before, with the reason of a revocation and the time from which seals are invalid.
create function list_seal_certificates() returns table (
  certificate_sha256 text, not_before timestamptz, not_after timestamptz, revoked_at timestamptz, invalid_from timestamptz, reason text
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.certificate_sha256, min(s.not_before), max(s.not_after), min(s.revoked_at), min(s.invalid_from),
    (array_agg(s.revoked_reason order by s.invalid_from) filter (where s.revoked_at is not null))[1]
  from seal_keys s group by 1 order by 1
$$;

revoke all on function end_instance_key, revoke_seal, find_seals_like, list_revoked_seals, list_seal_certificates from public;
grant execute on function end_instance_key, revoke_seal, find_seals_like, list_revoked_seals, list_seal_certificates to countersign_app;
