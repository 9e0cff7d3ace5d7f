-- Public forms: a page on which a visitor starts an envelope from a template.
create table public_forms (
  org_id text collate "C" not null references orgs,
  form_id text collate "C" not null,
  -- the public name in the form's address: 128 random bits
  slug text collate "C" not null unique,
  template_id text collate "C" not null,
  name text not null,
  settings jsonb not null,
  -- `closed` follows from the settings, the template and the number of envelopes
  state text not null default 'open' check (state in ('open', 'paused')),
  -- envelopes that the form has made
  opened integer not null default 0,
  -- the member who owns the envelopes; null if a key of a member who has left made the form
  owner_user_id text collate "C",
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, form_id),
  foreign key (org_id, template_id) references templates
);
create index public_forms_of_template on public_forms (org_id, template_id, form_id desc);

-- One mailed code. A code makes at most one envelope and opens it again until it expires.
create table form_starts (
  org_id text collate "C" not null,
  code_sha256 text collate "C" not null,
  form_id text collate "C" not null,
  email text not null,
  email_key text collate "C" generated always as (lower(email collate "C")) stored,
  name text not null,
  locale text not null,
  message_id text collate "C" not null,
  ip text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  envelope_id text collate "C",
  primary key (org_id, code_sha256),
  foreign key (org_id, form_id) references public_forms,
  foreign key (org_id, envelope_id) references envelopes
);
create index form_starts_of_address on form_starts (org_id, form_id, email_key) where envelope_id is not null;
create index form_starts_by_age on form_starts (created_at);

alter table public_forms enable row level security;
alter table form_starts enable row level security;
create policy own_org on public_forms using (org_id = app_org());
create policy own_org on form_starts using (org_id = app_org());
grant select, insert, update (name, settings, state, opened, updated_at) on public_forms to countersign_app;
grant select, insert, update (envelope_id) on form_starts to countersign_app;

-- The organization of a form, before the connection has one.
create function find_form(p_slug text) returns table (org_id text, form_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select f.org_id, f.form_id from public_forms f where f.slug = p_slug
$$;

-- For the hourly clean-up.
create function forget_form_starts(p_age interval) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from form_starts s where (s.org_id, s.code_sha256) in (
      select old.org_id, old.code_sha256 from form_starts old where old.created_at < now() - p_age limit 10000) returning 1)
  select count(*)::int from gone
$$;
revoke all on function find_form, forget_form_starts from public;
grant execute on function find_form, forget_form_starts to countersign_app;
