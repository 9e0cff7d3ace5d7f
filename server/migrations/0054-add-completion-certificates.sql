-- One completion certificate for each status in which an envelope can end. The PDF is a blob; its hash is in the audit trail too.
create table completion_certificates (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  status text not null check (status in ('completed', 'vaulted', 'declined', 'voided', 'expired')),
  sha256 text collate "C" not null,
  made_at timestamptz not null default now(),
  primary key (org_id, envelope_id, status),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, sha256) references blobs
);

alter table completion_certificates enable row level security;
create policy own_org on completion_certificates using (org_id = app_org());
grant select, insert on completion_certificates to countersign_app;
