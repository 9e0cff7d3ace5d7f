-- Envelopes, as far as they are listed.
create table envelopes (
  org_id text collate "C" not null references orgs,
  envelope_id text collate "C" not null,
  envelope_name text not null,
  status text not null check (status in
    ('pending', 'uploaded', 'preparing', 'sent', 'viewed', 'completed', 'vaulted', 'declined', 'voided', 'expired')),
  customer_id text collate "C",
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, envelope_id)
);
alter table envelopes enable row level security;
create policy own_org on envelopes using (org_id = app_org());
grant select on envelopes to countersign_app;
