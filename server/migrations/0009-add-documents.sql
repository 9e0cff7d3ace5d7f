-- Documents of envelopes: what was received, what is shown and signed, and the fields that its tags placed.
alter table envelopes
  add column template_id text collate "C",
  add column is_upload boolean not null default false,
  add column directory_id text collate "C",
  add column auto_vault_enabled boolean not null default false,
  add column kba_required boolean not null default false,
  -- [{ email, name, role }] in signing order, for a send that names none
  add column signers jsonb not null default '[]',
  add column created_by text collate "C",
  add foreign key (org_id, customer_id) references customers;
grant insert on envelopes to countersign_app;

create table documents (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  name text not null,
  -- what answers show: never a place on a disk
  path text not null,
  -- by content: application/pdf, image/png, image/jpeg
  content_type text not null,
  -- of the file that is kept for its owner: the cleaned PDF, or the image as it came
  hash text collate "C" not null,
  size integer not null,
  -- the PDF that is shown and signed
  pdf_sha256 text collate "C" not null,
  pages jsonb not null,
  -- roles that tags of the document state
  roles text[] not null,
  created_at timestamptz not null default now(),
  primary key (org_id, envelope_id),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, hash) references blobs (org_id, sha256),
  foreign key (org_id, pdf_sha256) references blobs (org_id, sha256)
);

-- The line of descent of a document, by hash. What was received is not kept when it had to be cleaned; its hash is.
create table document_versions (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  kind text not null check (kind in ('received', 'stored', 'prepared', 'stamped', 'signed', 'authoritative')),
  sha256 text collate "C" not null,
  parent_sha256 text collate "C",
  size integer not null,
  created_at timestamptz not null default now(),
  primary key (org_id, envelope_id, kind),
  foreign key (org_id, envelope_id) references envelopes
);

create table envelope_fields (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  position integer not null,
  name text not null,
  type text not null check (type in ('signature', 'initials', 'text', 'date', 'checkbox', 'number', 'select', 'radio')),
  -- null: the first signer's
  role text,
  required boolean not null,
  readonly boolean not null,
  default_value text,
  options text[],
  areas jsonb not null,
  anchor_match jsonb,
  primary key (org_id, envelope_id, position),
  foreign key (org_id, envelope_id) references envelopes
);

alter table documents enable row level security;
alter table document_versions enable row level security;
alter table envelope_fields enable row level security;
create policy own_org on documents using (org_id = app_org());
create policy own_org on document_versions using (org_id = app_org());
create policy own_org on envelope_fields using (org_id = app_org());
grant select, insert on documents, document_versions, envelope_fields to countersign_app;
