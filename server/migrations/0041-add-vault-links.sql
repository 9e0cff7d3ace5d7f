-- Records that move between two installations. Each pins the other's root; messages signed by the other's records key move a row of its
-- own through the states of vault/links/transfer.ts.

-- What a copy is descended from, wherever it goes: the first root that sealed it, and its id there.
alter table authoritative_copies add column lineage_id text collate "C";
update authoritative_copies set lineage_id = coalesce(
  (select encode(sha256(k.certificate), 'hex') from instance_keys k where k.purpose = 'root' and k.generation = 1), repeat('0', 64)
) || '/' || copy_id;
alter table authoritative_copies alter column lineage_id set not null;

-- A copy that is first stored here begins a lineage.
create function begin_lineage() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.lineage_id := coalesce(new.lineage_id, coalesce(
    (select encode(sha256(k.certificate), 'hex') from instance_keys k where k.purpose = 'root' and k.generation = 1), repeat('0', 64)
  ) || '/' || new.copy_id);
  return new;
end $$;
revoke all on function begin_lineage from public;
create trigger begin_lineage before insert on authoritative_copies for each row execute function begin_lineage();

alter table authoritative_copies drop constraint authoritative_copies_state_check;
alter table authoritative_copies add constraint authoritative_copies_state_check
  check (state in ('active', 'escrowed', 'exported', 'tampered', 'destroyed', 'transferred', 'papering', 'papered'));
alter table authoritative_copies drop constraint authoritative_copies_state_before_tamper_check;
alter table authoritative_copies add constraint authoritative_copies_state_before_tamper_check
  check (state_before_tamper in ('active', 'escrowed', 'exported', 'transferred', 'papering', 'papered'));

-- Over all organizations: of one lineage, at most one copy is here and has not left.
create unique index one_live_copy_of_lineage on authoritative_copies (lineage_id)
  where state in ('active', 'escrowed', 'papering', 'tampered') and coalesce(state_before_tamper, 'active') in ('active', 'escrowed', 'papering');

-- Another vault sealed what it released to this one: its seal is not among ours.
alter table authoritative_copies alter column seal_id drop not null;

create table remote_vaults (
  org_id text collate "C" not null references orgs,
  vault_id text collate "C" not null,
  name text not null,
  url text not null,
  -- of the other installation's root certificate, known from elsewhere
  root_sha256 text collate "C" not null check (root_sha256 ~ '^[0-9a-f]{64}$'),
  remote_org_id text collate "C" not null,
  -- its trust document, verified against that root
  trust text not null,
  pinned_by jsonb not null,
  pinned_at timestamptz not null default clock_timestamp(),
  state text not null default 'pinned' check (state in ('pinned', 'removed')),
  removed_at timestamptz,
  primary key (org_id, vault_id),
  check ((state = 'removed') = (removed_at is not null))
);
create unique index vault_pinned_once on remote_vaults (org_id, root_sha256, remote_org_id) where state = 'pinned';

create table vault_transfers (
  org_id text collate "C" not null references orgs,
  transfer_id text collate "C" not null,
  -- out: this organization sends the record; in: it receives it
  direction text not null check (direction in ('out', 'in')),
  vault_id text collate "C" not null,
  sender_root text collate "C" not null check (sender_root ~ '^[0-9a-f]{64}$'),
  sender_org_id text collate "C" not null,
  receiver_root text collate "C" not null check (receiver_root ~ '^[0-9a-f]{64}$'),
  receiver_org_id text collate "C" not null,
  lineage_id text collate "C" not null,
  copy_sha256 text collate "C" not null check (copy_sha256 ~ '^[0-9a-f]{64}$'),
  -- the sender's, as the offer names them
  origin_envelope_id text collate "C" not null,
  origin_copy_id text collate "C" not null,
  -- ours: of the receiver, once the record is stored
  envelope_id text collate "C",
  copy_id text collate "C",
  envelope_name text not null,
  act_id text collate "C",
  state text not null default 'offered'
    check (state in ('offered', 'accepted', 'packed', 'ready', 'released', 'done', 'confirmed', 'cancelled', 'refused')),
  -- of the receiver: where the record goes, and who said so
  customer_id text collate "C",
  custodian_user_id text collate "C" references users,
  accepted_by jsonb,
  package_sha256 text collate "C",
  package_size integer,
  -- of the sender: the bundle in the package ends with this entry, and was signed with this key
  packed_head jsonb,
  packed_key_id text collate "C",
  -- of the sender: the key of the package, erased when the transfer ends or the release holds it
  k_enc bytea,
  -- of the sender: canonical JSON of the release without its proof, kept for ever
  release bytea,
  reason text,
  created_by jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  -- when the other side was heard to have taken the last message; nothing is sent afterwards
  settled_at timestamptz,
  attempts integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  last_error text,
  primary key (org_id, transfer_id, direction),
  unique (sender_root, transfer_id, direction),
  foreign key (org_id, vault_id) references remote_vaults,
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, copy_id) references authoritative_copies,
  foreign key (org_id, package_sha256) references blobs (org_id, sha256),
  check (direction = 'out' or k_enc is null),
  check (k_enc is null or state not in ('released', 'confirmed', 'cancelled', 'refused'))
);
create unique index transfer_out_of_copy on vault_transfers (org_id, copy_id)
  where direction = 'out' and state in ('offered', 'accepted', 'packed', 'ready', 'released');
create index vault_transfers_due on vault_transfers (next_at) where settled_at is null;
create index vault_transfers_by_vault on vault_transfers (org_id, vault_id);

create table link_messages (
  org_id text collate "C" not null,
  transfer_id text collate "C" not null,
  direction text not null,
  kind text not null check (kind in ('offer', 'accept', 'package', 'ready', 'release', 'receipt', 'refusal', 'cancel')),
  bytes bytea not null,
  signature bytea not null check (octet_length(signature) = 64),
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, transfer_id, direction, kind),
  foreign key (org_id, transfer_id, direction) references vault_transfers
);

-- The bundle of the vault before, with what it signed when it released the record.
create table record_origins (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  transfer_id text collate "C" not null,
  bundle_sha256 text collate "C" not null,
  release bytea not null,
  release_signature bytea not null,
  -- as facts name them: the vault before, and the vault that sealed the record
  vault jsonb not null,
  first jsonb not null,
  primary key (org_id, envelope_id),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, bundle_sha256) references blobs (org_id, sha256)
);

alter table remote_vaults enable row level security;
alter table vault_transfers enable row level security;
alter table link_messages enable row level security;
alter table record_origins enable row level security;
create policy own_org on remote_vaults using (org_id = app_org());
create policy own_org on vault_transfers using (org_id = app_org());
create policy own_org on link_messages using (org_id = app_org());
create policy own_org on record_origins using (org_id = app_org());
grant select, insert on remote_vaults, vault_transfers, link_messages, record_origins to countersign_app;
grant update (state, removed_at, trust) on remote_vaults to countersign_app;
grant update (envelope_id, copy_id, state, customer_id, custodian_user_id, accepted_by, package_sha256, package_size, packed_head,
  packed_key_id, k_enc, release, reason, updated_at, closed_at, settled_at, attempts, next_at, last_error) on vault_transfers to countersign_app;

-- Transfers of all organizations that have something to do or to send.
create function find_due_links(p_limit integer) returns table (org_id text, transfer_id text, direction text)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.org_id, t.transfer_id, t.direction from vault_transfers t
  where t.settled_at is null and t.next_at <= now() order by t.next_at limit p_limit
$$;
revoke all on function find_due_links from public;
grant execute on function find_due_links to countersign_app;
-- Whether any organization here has a copy of the lineage that has not left, without saying which. The copy that the transfer itself moves,
-- from another organization of this installation, does not count.
create function is_lineage_live(p_lineage_id text, p_transfer_id text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from authoritative_copies c
    where c.lineage_id = p_lineage_id and c.state in ('active', 'escrowed', 'papering', 'tampered')
      and coalesce(c.state_before_tamper, 'active') in ('active', 'escrowed', 'papering')
      and not exists (select from vault_transfers t where t.org_id = c.org_id and t.copy_id = c.copy_id and t.direction = 'out'
        and t.transfer_id = p_transfer_id)
  )
$$;
revoke all on function is_lineage_live from public;
grant execute on function is_lineage_live to countersign_app;
