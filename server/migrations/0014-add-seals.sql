-- Keys that documents are sealed with. Private keys are encrypted under a key from APP_SECRET. Nothing here is ever deleted:
-- what was sealed once has to be verified for as long as it is kept.

-- Of the installation as a whole, one row a purpose: the root that issues the orgs' seal certificates (P-256), and the key that
-- signs records (Ed25519).
create table instance_keys (
  purpose text collate "C" primary key check (purpose in ('root', 'records')),
  -- X.509, DER; the root's alone
  certificate bytea,
  -- SubjectPublicKeyInfo, DER
  public_key bytea not null,
  private_key_enc bytea not null,
  created_at timestamptz not null default now(),
  check ((purpose = 'root') = (certificate is not null))
);
grant select, insert (purpose, certificate, public_key, private_key_enc) on instance_keys to countersign_app;

create table seal_keys (
  org_id text collate "C" not null references orgs,
  seal_id text collate "C" not null,
  -- counts the org's own certificates; null for a bought one, whose key stays in its file
  generation integer check (generation > 0),
  certificate bytea not null,
  certificate_sha256 text collate "C" not null check (certificate_sha256 ~ '^[0-9a-f]{64}$'),
  -- its issuers in order; the last is what verification trusts
  issuers bytea[] not null check (cardinality(issuers) > 0),
  private_key_enc bytea,
  not_before timestamptz not null,
  not_after timestamptz not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (org_id, seal_id),
  -- of any number who make a certificate at once, one does
  unique (org_id, generation),
  unique (org_id, certificate_sha256),
  check ((generation is null) = (private_key_enc is null))
);
alter table seal_keys enable row level security;
create policy own_org on seal_keys using (org_id = app_org());
grant select,
  insert (org_id, seal_id, generation, certificate, certificate_sha256, issuers, private_key_enc, not_before, not_after)
  on seal_keys to countersign_app;
