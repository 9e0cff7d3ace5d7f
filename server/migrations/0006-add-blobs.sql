-- The ledger of stored bytes: what lies in the blob store, and whether a row of ours names it. A claim is written before the
-- bytes, so there is never a blob that the sweep could not find. Tables that name a blob reference (org_id, sha256).
create table blobs (
  org_id text collate "C" not null references orgs,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size >= 0),
  put_at timestamptz not null default now(),
  kept boolean not null default false,
  primary key (org_id, sha256)
);
create index blobs_orphans on blobs (put_at) where not kept;
alter table blobs enable row level security;
create policy own_org on blobs using (org_id = app_org());
grant select, insert (org_id, sha256, size), update (put_at, kept), delete on blobs to countersign_app;

-- Orphans of all orgs, oldest first; the sweep then works per org.
create function find_orphan_blobs(p_age interval, p_limit integer) returns table (org_id text, sha256 text)
language sql stable security definer set search_path = public, pg_temp as $$
  select b.org_id, b.sha256 from blobs b where not b.kept and b.put_at <= now() - p_age order by b.put_at limit p_limit
$$;
revoke all on function find_orphan_blobs from public;
grant execute on function find_orphan_blobs to countersign_app;
