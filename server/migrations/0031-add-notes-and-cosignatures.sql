-- The log as others can follow it: each checkpoint as a signed note (C2SP tlog-checkpoint) under the log's public name, what witnesses
-- answered about these notes, and what contradicts what a witness saw before. Nothing here is ever changed or deleted.

alter table checkpoints
  -- null: signed before there were notes
  add column note bytea;
grant insert (note) on checkpoints to countersign_app;

-- Once, for the checkpoint that was the latest when notes were introduced: what was signed stays as it is.
create function add_note(p_tree_size bigint, p_note bytea) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with added as (
    update checkpoints c set note = p_note where c.tree_size = p_tree_size and c.note is null
      and c.tree_size = (select max(l.tree_size) from checkpoints l)
    returning 1
  )
  select exists (select from added)
$$;
revoke all on function add_note from public;
grant execute on function add_note to countersign_app;

-- The public name of the log, stored at first use. Witnesses know the log by it.
create table log_origin (
  is_only boolean primary key default true check (is_only),
  origin text collate "C" not null check (origin ~ '^[^[:space:]+]+$'),
  stored_at timestamptz not null default clock_timestamp()
);

-- After a backup was accepted that is older than what was published. From then on the log's name ends with the number of its start.
create table log_restarts (
  start integer primary key check (start > 1),
  origin text collate "C" not null unique,
  -- canonical JSON (countersign/log-restart/1), whose hash is a leaf of the log
  bytes bytea not null,
  hash text collate "C" not null unique check (hash ~ '^[0-9a-f]{64}$'),
  at timestamptz not null default clock_timestamp()
);

-- What a witness answered about the note of a checkpoint: its signature line, or why there is none.
create table checkpoint_cosignatures (
  checkpoint_cosignature_id bigint generated always as identity primary key,
  tree_size bigint not null references checkpoints,
  -- the witness's public key, with its name
  witness text collate "C" not null,
  line text collate "C",
  error text,
  at timestamptz not null default clock_timestamp(),
  check ((line is null) = (error is not null))
);
create index checkpoint_cosignatures_granted on checkpoint_cosignatures (tree_size) where line is not null;
create index checkpoint_cosignatures_by_witness on checkpoint_cosignatures (witness, checkpoint_cosignature_id);

-- A witness saw another history of this log than this database has.
create table witness_conflicts (
  witness_conflict_id bigint generated always as identity primary key,
  witness text collate "C" not null,
  -- of the note that it refused
  tree_size bigint not null references checkpoints,
  -- of the latest note that it cosigned, if it said so
  witness_size bigint,
  says text not null,
  at timestamptz not null default clock_timestamp()
);

grant select, insert (origin) on log_origin to countersign_app;
grant select, insert (start, origin, bytes, hash) on log_restarts to countersign_app;
grant select, insert (tree_size, witness, line, error) on checkpoint_cosignatures to countersign_app;
grant select, insert (witness, tree_size, witness_size, says) on witness_conflicts to countersign_app;
