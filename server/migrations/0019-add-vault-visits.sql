-- What the holder of one token of the vault widget was shown: one copy, made once, for pages, words and download.
-- Kept by the token's hash, so that every process finds it; its bytes are claimed and never kept, so the sweep of the store takes them.
create table vault_visits (
  org_id text collate "C" not null,
  token_sha256 text collate "C" not null check (token_sha256 ~ '^[0-9a-f]{64}$'),
  envelope_id text collate "C" not null,
  expires_at timestamptz not null,
  copy_id text collate "C",
  sha256 text collate "C",
  file_name text,
  primary key (org_id, token_sha256),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, copy_id) references copy_issues,
  check ((copy_id is null) = (sha256 is null) and (copy_id is null) = (file_name is null))
);
create index vault_visits_by_end on vault_visits (org_id, expires_at);
alter table vault_visits enable row level security;
create policy own_org on vault_visits using (org_id = app_org());
grant select, insert, delete on vault_visits to countersign_app;
grant update (copy_id, sha256, file_name) on vault_visits to countersign_app;
