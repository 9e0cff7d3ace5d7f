-- The log: the hash of every audit entry, of all orgs, as a leaf of one Merkle tree (RFC 9162), and signed checkpoints of that tree.
-- Hashes only, which tell nobody anything: so there is no org and no policy. Nothing here is ever changed or deleted.

-- What was written before there was a log. The order is each chain's own, for within a chain times never go backwards. To truncate
-- waits for whoever has queued an entry and not yet committed, and holds up whoever is about to: none is missed, and none comes twice.
truncate log_queue;
-- A row that no leaf can be made of would stop the log for everybody.
alter table log_queue add check (hash ~ '^[0-9a-f]{64}$');
insert into log_queue (hash) select hash from audit_entries order by at, org_id, subject, seq;

create table log_leaves (
  leaf_index bigint primary key check (leaf_index >= 0),
  -- of the entry; the tree's own hash of the leaf follows from it
  hash text collate "C" not null
);
-- Looked up by equality alone, in random order: a third of the size of a tree.
create index log_leaves_by_hash on log_leaves using hash (hash);

-- The roots of full subtrees over 2^level leaves. A proof reads one row of each level.
create table log_nodes (
  level smallint not null check (level > 0),
  node_index bigint not null check (node_index >= 0),
  hash text collate "C" not null,
  primary key (level, node_index)
);

create table checkpoints (
  tree_size bigint primary key check (tree_size > 0),
  -- canonical JSON, exactly as it was signed
  bytes bytea not null,
  signature bytea not null check (octet_length(signature) = 64)
);

-- What an authority (RFC 3161) answered about a checkpoint's bytes, or why it did not.
create table checkpoint_tokens (
  checkpoint_token_id bigint generated always as identity primary key,
  tree_size bigint not null references checkpoints,
  token bytea,
  error text,
  asked_at timestamptz not null default clock_timestamp(),
  check ((token is null) = (error is not null))
);
create index checkpoint_tokens_granted on checkpoint_tokens (tree_size) where token is not null;

-- What came of comparing the log with itself. While the latest one names a fault, nothing is appended and nothing is signed.
create table log_checks (
  log_check_id bigint generated always as identity primary key,
  tree_size bigint not null,
  -- null: all is as it was written
  fault text,
  checked_at timestamptz not null default clock_timestamp()
);

grant select on log_leaves to countersign_app;
grant select, insert (level, node_index, hash) on log_nodes to countersign_app;
grant select, insert (tree_size, bytes, signature) on checkpoints to countersign_app;
grant select, insert (tree_size, token, error) on checkpoint_tokens to countersign_app;
grant select, insert (tree_size, fault) on log_checks to countersign_app;

-- From the queue to the leaves, oldest first: whoever calls it can neither invent an entry nor leave one out. The caller holds the
-- log's lock; of two without it one fails on the primary key.
create function sequence_log(p_limit integer) returns table (leaf_index bigint, hash text)
language sql security definer set search_path = public, pg_temp as $$
  with oldest as (
    select log_queue_id from log_queue order by log_queue_id limit p_limit
  ), taken as (
    delete from log_queue q using oldest o where q.log_queue_id = o.log_queue_id returning q.log_queue_id, q.hash
  ), placed as (
    insert into log_leaves (leaf_index, hash)
    select coalesce((select max(l.leaf_index) + 1 from log_leaves l), 0) + row_number() over (order by t.log_queue_id) - 1, t.hash from taken t
    returning log_leaves.leaf_index, log_leaves.hash
  )
  select p.leaf_index, p.hash from placed p order by p.leaf_index
$$;

-- The certificates of all orgs, for outsiders: by hash, without saying whose they are.
create function list_seal_certificates() returns table (certificate_sha256 text, not_before timestamptz, not_after timestamptz, revoked_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.certificate_sha256, min(s.not_before), max(s.not_after), min(s.revoked_at) from seal_keys s group by 1 order by 1
$$;

revoke all on function sequence_log, list_seal_certificates from public;
grant execute on function sequence_log, list_seal_certificates to countersign_app;
