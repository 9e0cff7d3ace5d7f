-- The vault: one authoritative copy of an envelope, who keeps it, to whom it is assigned, what was evaluated and what went out.
-- Locks are taken in this order: envelopes, submissions, signers, authoritative_copies, its children, audit_heads.

-- One row of an envelope for ever: what left by vault-out comes back only as a new envelope.
create table authoritative_copies (
  org_id text collate "C" not null,
  copy_id text collate "C" not null,
  envelope_id text collate "C" not null,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size integer not null check (size > 0),
  -- before the seal; of an upload, of the received bytes
  content_sha256 text collate "C" not null check (content_sha256 ~ '^[0-9a-f]{64}$'),
  -- what the seal was put on
  parent_sha256 text collate "C" not null,
  source text not null check (source in ('signed_here', 'electronic_signed', 'paper_upload')),
  -- by which door it came in; null: by the pipeline
  vault_in text check (vault_in in ('signed', 'upload')),
  seal_id text collate "C" not null,
  seal_level text not null check (seal_level in ('B-B', 'B-T')),
  sealed_at timestamptz not null,
  tsa_error text,
  stored_at timestamptz not null default clock_timestamp(),
  state text not null default 'active' check (state in ('active', 'escrowed', 'exported', 'tampered', 'destroyed')),
  -- of what is tampered: where repaired bytes bring it back to
  state_before_tamper text check (state_before_tamper in ('active', 'escrowed', 'exported')),
  state_since timestamptz,
  custody_version integer not null default 1,
  retention_until timestamptz not null,
  lock_kind text not null default 'application' check (lock_kind in ('application', 'object_lock')),
  lock_until timestamptz not null,
  -- read and re-hashed
  verified_at timestamptz,
  primary key (org_id, copy_id),
  unique (org_id, envelope_id),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, sha256) references blobs (org_id, sha256),
  foreign key (org_id, seal_id) references seal_keys,
  check ((state = 'tampered') = (state_before_tamper is not null))
);
create index authoritative_copies_by_content on authoritative_copies (org_id, content_sha256, stored_at, copy_id);
create index authoritative_copies_to_verify on authoritative_copies (verified_at nulls first) where state in ('active', 'escrowed');

create function refuse_shorter_retention() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.retention_until < old.retention_until or new.lock_until < old.lock_until then
    raise exception 'retention of % cannot end earlier', old.copy_id;
  end if;
  return new;
end $$;
create trigger later_only before update of retention_until, lock_until on authoritative_copies
  for each row execute function refuse_shorter_retention();

-- Who keeps the copy. A transfer is a row that is pending until the receiver accepts it.
create table custodian_permissions (
  org_id text collate "C" not null,
  permission_id text collate "C" not null,
  copy_id text collate "C" not null,
  envelope_id text collate "C" not null,
  user_id text collate "C" not null references users,
  from_user_id text collate "C" references users,
  state text not null check (state in ('pending', 'active', 'released', 'rejected', 'cancelled', 'expired')),
  -- of the copy, when the transfer was begun
  expected_version integer not null,
  -- { kind, id } of the credential: it may not accept what it began
  initiated_by jsonb not null,
  reason text,
  initiated_at timestamptz not null default now(),
  expires_at timestamptz,
  activated_at timestamptz,
  closed_at timestamptz,
  primary key (org_id, permission_id),
  foreign key (org_id, copy_id) references authoritative_copies,
  check (user_id <> from_user_id)
);
create unique index custodian_of_copy on custodian_permissions (org_id, copy_id) where state = 'active';
create unique index transfer_of_copy on custodian_permissions (org_id, copy_id) where state = 'pending';
create index transfers_to_expire on custodian_permissions (expires_at) where state = 'pending';
create index permissions_of_copy on custodian_permissions (org_id, copy_id);
create index transfers_to_user on custodian_permissions (org_id, user_id, permission_id) where from_user_id is not null;
create index transfers_from_user on custodian_permissions (org_id, from_user_id, permission_id) where from_user_id is not null;

-- To whom the record is assigned, from the first designation on.
create table assignments (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  seq integer not null check (seq > 0),
  party jsonb not null,
  party_sha256 text collate "C" not null,
  -- of the party before; null for the first
  consent jsonb,
  state text not null check (state in ('pending', 'effective', 'refused')),
  -- of its entry in the chain
  entry_seq integer not null,
  recorded_at timestamptz not null default now(),
  primary key (org_id, envelope_id, seq),
  foreign key (org_id, envelope_id) references envelopes
);
create unique index assignment_pending on assignments (org_id, envelope_id) where state = 'pending';

-- What whoever deposits an upload declares about it; the latest counts.
create table vault_attestations (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  attestation_no integer not null,
  attestation jsonb not null,
  attestation_sha256 text collate "C" not null,
  actor jsonb not null,
  recorded_at timestamptz not null default now(),
  primary key (org_id, envelope_id, attestation_no),
  foreign key (org_id, envelope_id) references envelopes
);

-- A file that the depositor gave as evidence: kept as it came, never shown alone.
create table evidence_files (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  sha256 text collate "C" not null,
  size integer not null,
  content_type text not null,
  received_at timestamptz not null default now(),
  primary key (org_id, envelope_id),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, sha256) references blobs (org_id, sha256)
);

-- One evaluation: what was looked at, what came of it, and the certificate that says so.
create table certificates (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  revision integer not null check (revision > 0),
  path text not null,
  facts_sha256 text collate "C" not null,
  json_sha256 text collate "C" not null,
  pdf_sha256 text collate "C" not null,
  score integer not null check (score between 0 and 100),
  passed boolean not null,
  -- what answers show
  result jsonb not null,
  evaluated_at timestamptz not null,
  primary key (org_id, envelope_id, revision),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, facts_sha256) references blobs (org_id, sha256),
  foreign key (org_id, json_sha256) references blobs (org_id, sha256),
  foreign key (org_id, pdf_sha256) references blobs (org_id, sha256)
);

-- The copy on its way out: a package that nobody can read until its receipt is acknowledged.
create table vault_exports (
  org_id text collate "C" not null,
  export_id text collate "C" not null,
  copy_id text collate "C" not null,
  envelope_id text collate "C" not null,
  state text not null default 'escrowed' check (state in ('escrowed', 'acknowledged', 'cancelled', 'expired')),
  recipient jsonb not null,
  reason text not null,
  package_path text not null,
  package_sha256 text collate "C" not null,
  package_size integer not null,
  -- erased a day after the acknowledgement, and at once when the export is cancelled or expires
  key_enc bytea,
  receipt jsonb,
  initiated_by jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (org_id, export_id),
  foreign key (org_id, copy_id) references authoritative_copies,
  foreign key (org_id, package_sha256) references blobs (org_id, sha256),
  check (state not in ('cancelled', 'expired') or key_enc is null)
);
create unique index export_in_escrow on vault_exports (org_id, copy_id) where state = 'escrowed';
create unique index export_acknowledged on vault_exports (org_id, copy_id) where state = 'acknowledged';
create index exports_to_expire on vault_exports (expires_at) where state = 'escrowed';
create index export_keys_to_erase on vault_exports (closed_at) where state = 'acknowledged' and key_enc is not null;
create index exports_of_envelope on vault_exports (org_id, envelope_id, export_id);

create table legal_holds (
  org_id text collate "C" not null,
  hold_id text collate "C" not null,
  envelope_id text collate "C" not null,
  copy_id text collate "C" not null,
  reason text not null,
  placed_by jsonb not null,
  placed_at timestamptz not null default now(),
  released_by jsonb,
  released_at timestamptz,
  primary key (org_id, hold_id),
  foreign key (org_id, copy_id) references authoritative_copies
);
create index holds_of_copy on legal_holds (org_id, copy_id) where released_at is null;

alter table authoritative_copies enable row level security;
alter table custodian_permissions enable row level security;
alter table assignments enable row level security;
alter table vault_attestations enable row level security;
alter table evidence_files enable row level security;
alter table certificates enable row level security;
alter table vault_exports enable row level security;
alter table legal_holds enable row level security;
create policy own_org on authoritative_copies using (org_id = app_org());
create policy own_org on custodian_permissions using (org_id = app_org());
create policy own_org on assignments using (org_id = app_org());
create policy own_org on vault_attestations using (org_id = app_org());
create policy own_org on evidence_files using (org_id = app_org());
create policy own_org on certificates using (org_id = app_org());
create policy own_org on vault_exports using (org_id = app_org());
create policy own_org on legal_holds using (org_id = app_org());
grant select, insert on authoritative_copies, custodian_permissions, assignments, vault_attestations, evidence_files, certificates,
  vault_exports, legal_holds to countersign_app;
-- What was stored is never written again; where it stands is.
grant update (state, state_before_tamper, state_since, custody_version, retention_until, lock_until, verified_at) on authoritative_copies
  to countersign_app;
grant update (state, activated_at, closed_at) on custodian_permissions to countersign_app;
grant update (state) on assignments to countersign_app;
grant update (state, key_enc, receipt, closed_at) on vault_exports to countersign_app;
grant update (released_by, released_at) on legal_holds to countersign_app;
grant update (certificate_path, vault_file_path) on envelopes to countersign_app;

-- What is due in any org, for the jobs, which then work per org.
create function find_due_transfers(p_limit integer) returns table (org_id text, permission_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.org_id, p.permission_id from custodian_permissions p
  where p.state = 'pending' and p.expires_at <= now() order by p.expires_at limit p_limit
$$;
create function find_due_exports(p_key_life interval, p_limit integer) returns table (org_id text, export_id text, due text)
language sql stable security definer set search_path = public, pg_temp as $$
  (select x.org_id, x.export_id, 'expire' from vault_exports x
   where x.state = 'escrowed' and x.expires_at <= now() order by x.expires_at limit p_limit)
  union all
  (select x.org_id, x.export_id, 'erase_key' from vault_exports x
   where x.state = 'acknowledged' and x.key_enc is not null and x.closed_at <= now() - p_key_life order by x.closed_at limit p_limit)
$$;
-- Copies of all orgs that were not looked at for so long, those never looked at first.
create function find_copies_to_verify(p_age interval, p_limit integer) returns table (org_id text, envelope_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id, c.envelope_id from authoritative_copies c
  where c.state in ('active', 'escrowed') and (c.verified_at is null or c.verified_at <= now() - p_age)
  order by c.verified_at nulls first limit p_limit
$$;
-- Some of them by chance: whoever changes one cannot know when it will be looked at next.
create function sample_copies(p_share double precision, p_limit integer) returns table (org_id text, envelope_id text)
language sql volatile security definer set search_path = public, pg_temp as $$
  select c.org_id, c.envelope_id from authoritative_copies c
  where c.state in ('active', 'escrowed') and random() < p_share limit p_limit
$$;
revoke all on function find_due_transfers, find_due_exports, find_copies_to_verify, sample_copies from public;
grant execute on function find_due_transfers, find_due_exports, find_copies_to_verify, sample_copies to countersign_app;
