-- A seal can now have embedded validation data (B-LT) and a document time stamp over it (B-LTA).
alter table authoritative_copies drop constraint authoritative_copies_seal_level_check,
  add constraint authoritative_copies_seal_level_check check (seal_level in ('B-B', 'B-T', 'B-LT', 'B-LTA'));

-- Leaves of the log that are not entries: each names an object that evidence rests on, so that a later time stamp covers it. Like the rest
-- of the log this belongs to the installation, contains hashes and public data only, and is never changed or deleted.
create table log_records (
  hash text collate "C" primary key check (hash = encode(sha256(bytes), 'hex')),
  -- canonical JSON, `countersign/log-record/1`
  bytes bytea not null,
  -- what the bytes say, for queries
  kind text not null,
  tree_size bigint not null,
  -- the time stamp that it names
  checkpoint_token_id bigint unique references checkpoint_tokens
);
create index log_records_by_kind on log_records (kind, tree_size);
grant select, insert on log_records to countersign_app;

-- What records name and no other table has: revocation lists, OCSP responses, lists of keys.
create table log_objects (
  hash text collate "C" primary key references log_records,
  bytes bytea not null
);
grant select, insert on log_objects to countersign_app;

-- What stands for an entry or record under SHA-512. `data_sha512` stays when the data of an entry is erased.
create table leaf_rehashes (
  hash text collate "C" primary key check (hash ~ '^[0-9a-f]{64}$'),
  data_sha512 text collate "C" check (data_sha512 ~ '^[0-9a-f]{128}$'),
  sha512 text collate "C" not null check (sha512 ~ '^[0-9a-f]{128}$')
);
grant select, insert on leaf_rehashes to countersign_app;

-- Envelopes whose stored files were read and recorded under SHA-512. Not complete: a file could not be read, which is tried again.
create table rehashed_envelopes (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  complete boolean not null,
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, envelope_id),
  foreign key (org_id, envelope_id) references envelopes
);
alter table rehashed_envelopes enable row level security;
create policy own_org on rehashed_envelopes using (org_id = app_org());
grant select, insert, update (complete, at) on rehashed_envelopes to countersign_app;

-- Once each: what admins were told about the installation.
create table renewal_notices (
  notice text collate "C" primary key,
  told_at timestamptz not null default clock_timestamp()
);
grant select, insert (notice) on renewal_notices to countersign_app;

-- Finished envelopes of all orgs whose files are not recorded under SHA-512 yet.
create function find_envelopes_to_rehash(p_again interval, p_limit integer) returns table (org_id text, envelope_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.org_id, e.envelope_id from envelopes e
  where e.status in ('completed', 'vaulted') and not exists (
    select from rehashed_envelopes r
    where r.org_id = e.org_id and r.envelope_id = e.envelope_id and (r.complete or r.at > now() - p_again))
  order by e.org_id, e.envelope_id limit p_limit
$$;

-- The entries behind leaves, which say nothing but a hash; the job then reads them per org.
create index audit_entries_by_hash on audit_entries using hash (hash);
create function find_entries_of_leaves(p_hashes text[]) returns table (org_id text, subject text, seq integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.org_id, e.subject, e.seq from unnest(p_hashes) as wanted (hash) join audit_entries e on e.hash = wanted.hash order by 1, 2, 3
$$;

revoke all on function find_envelopes_to_rehash, find_entries_of_leaves from public;
grant execute on function find_envelopes_to_rehash, find_entries_of_leaves to countersign_app;
