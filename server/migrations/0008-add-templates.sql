-- Templates: a cleaned PDF, and fields on it.
create table templates (
  org_id text collate "C" not null references orgs,
  template_id text collate "C" not null,
  name text not null,
  external_id text,
  -- null once the document was erased
  document_sha256 text collate "C",
  -- [{ w_pt, h_pt, rotate, has_text, scan_dpi }], in order
  pages jsonb not null,
  provider text not null,
  -- null: the provider has no counterpart
  provider_template_id integer,
  created_by text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (org_id, template_id),
  foreign key (org_id, document_sha256) references blobs (org_id, sha256)
);
-- The list, and the look-up by the caller's own reference.
create index templates_listed on templates (org_id, template_id desc) where archived_at is null;
create index templates_by_external_id on templates (org_id, external_id) where external_id is not null;

create table template_fields (
  org_id text collate "C" not null,
  template_id text collate "C" not null,
  position integer not null,
  name text not null,
  type text not null check (type in ('signature', 'initials', 'text', 'date', 'checkbox', 'number', 'select', 'radio')),
  role text not null,
  required boolean not null,
  readonly boolean not null,
  default_value text,
  options text[],
  -- [{ page, x, y, w, h }], fractions of the displayed page
  areas jsonb not null,
  anchor_match jsonb,
  primary key (org_id, template_id, position),
  foreign key (org_id, template_id) references templates
);

alter table templates enable row level security;
alter table template_fields enable row level security;
create policy own_org on templates using (org_id = app_org());
create policy own_org on template_fields using (org_id = app_org());
grant select, insert on templates, template_fields to countersign_app;
grant update (updated_at, archived_at) on templates to countersign_app;
grant delete on template_fields to countersign_app;

-- The numbers of the built-in provider's counterparts. An answer holds it as a JSON integer.
create sequence provider_template_ids as integer;
grant usage on sequence provider_template_ids to countersign_app;
