-- The address of the public page that says the present state of a record: 128 random bits in hexadecimal. A UUID has only 122, so two are
-- hashed. The default runs for each row, those that exist included.
alter table authoritative_copies add column verify_code text collate "C" not null
  default encode(substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) from 1 for 16), 'hex')
  check (verify_code ~ '^[0-9a-f]{32}$');
create unique index copy_of_verify_code on authoritative_copies (verify_code);

alter table org_settings add column status_shows_parties boolean not null default false;

-- The page is asked for without an organization. Nothing before the first certificate: until then the record is not vaulted.
create function find_status(p_verify_code text) returns table (org_id text, envelope_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id, c.envelope_id from authoritative_copies c where c.verify_code = p_verify_code and c.vault_no is not null
$$;

revoke all on function find_status from public;
grant execute on function find_status to countersign_app;
