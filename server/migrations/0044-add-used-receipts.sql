-- An original that left by an export and comes back, with the signed receipt of the export. Each receipt is used once in the installation.
create table used_receipts (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  -- of the receipt: who signed it, and what it says
  key_id text collate "C" not null,
  export_id text collate "C" not null,
  from_org_id text collate "C" not null,
  from_envelope_id text collate "C" not null,
  receipt jsonb not null,
  used_at timestamptz not null,
  entry_seq integer not null,
  primary key (org_id, envelope_id),
  foreign key (org_id, envelope_id) references envelopes
);
create unique index receipt_used_once on used_receipts (key_id, export_id);
alter table used_receipts enable row level security;
create policy own_org on used_receipts using (org_id = app_org());
grant select, insert on used_receipts to countersign_app;
