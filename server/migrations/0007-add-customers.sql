-- Customers: whom an org has documents signed by.
create table customers (
  org_id text collate "C" not null references orgs,
  customer_id text collate "C" not null,
  name text,
  email text,
  phone text,
  company text,
  job_title text,
  entity_type text,
  client_id text,
  -- client_id as it is compared, folded by the program (customers/customer.ts). Folding here would depend on the collation of
  -- the database, and an index over it would be wrong after an upgrade of the operating system's tables.
  client_key text collate "C" check ((client_key is null) = (client_id is null)),
  category text,
  industry text,
  address_line1 text,
  address_line2 text,
  city text,
  state text,
  postal_code text,
  country text,
  website_url text,
  primary_contact_name text,
  -- internal: in no answer to a partner
  notes text,
  payment_customer_ref text,
  properties jsonb,
  revenue_metrics jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, customer_id),
  -- an entry of an index has at most 2,704 bytes, and a character at most four
  check (char_length(client_key) <= 400),
  check (char_length(email) <= 254)
);
create unique index customers_client_key on customers (org_id, client_key);
-- Several customers may share an address; oldest first.
create index customers_email on customers (org_id, email_key(email), customer_id);

alter table customers enable row level security;
create policy own_org on customers using (org_id = app_org());
-- Columns, so that no statement of the app can read an internal field, or write one.
grant
  select (org_id, customer_id, name, email, phone, company, job_title, entity_type, client_id, client_key, category, industry, address_line1,
    address_line2, city, state, postal_code, country, website_url, primary_contact_name, created_at, updated_at),
  insert (org_id, customer_id, name, email, phone, company, job_title, entity_type, client_id, client_key, category, industry, address_line1,
    address_line2, city, state, postal_code, country, website_url, primary_contact_name),
  update (name, email, phone, company, job_title, entity_type, client_id, client_key, category, industry, address_line1,
    address_line2, city, state, postal_code, country, website_url, primary_contact_name, updated_at)
  on customers to countersign_app;
