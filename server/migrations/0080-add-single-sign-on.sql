-- Single sign-on: domains that an organization has proved, connections to its identity provider, and who logs in with them.

-- A domain counts for one organization at most, and only once it is proved.
create table org_domains (
  org_id text collate "C" not null references orgs,
  domain_id text collate "C" not null,
  domain text collate "C" not null check (domain = lower(domain)),
  -- what the TXT record must contain
  token text not null,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  method text check (method in ('dns', 'mail')),
  -- when the daily check last found the record
  last_seen_at timestamptz,
  -- since when the record is missing
  failing_since timestamptz,
  mailed_to text,
  mail_token_hash bytea unique,
  mail_expires_at timestamptz,
  primary key (org_id, domain_id),
  unique (org_id, domain),
  check ((verified_at is null) = (method is null))
);
create unique index org_domains_verified on org_domains (domain) where verified_at is not null;

create table sso_connections (
  org_id text collate "C" not null references orgs,
  connection_id text collate "C" not null unique,
  name text not null check (length(name) between 1 and 60),
  issuer text not null,
  client_id text not null,
  -- encrypted with a key of the application secret
  client_secret_enc bytea not null,
  scopes text[] not null,
  -- where the ID token names roles or groups; null: roles are given by hand after the first log-in
  role_claim text,
  -- [{"value": …, "role": …}]: the first whose value is in the claim
  role_map jsonb not null default '[]',
  default_role text check (default_role in ('admin', 'member', 'viewer', 'custodian', 'security_admin', 'auditor')),
  -- whether an address counts that the provider says it did not verify
  trust_email boolean not null default false,
  required_acr text,
  required_amr text[],
  max_hours integer not null default 12 check (max_hours between 1 and 168),
  provision text not null default 'off' check (provision in ('off', 'create')),
  state text not null default 'draft' check (state in ('draft', 'active', 'disabled')),
  tested_at timestamptz,
  tested_by text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, connection_id)
);

create table sso_identities (
  org_id text collate "C" not null,
  connection_id text collate "C" not null,
  subject text collate "C" not null,
  user_id text collate "C" not null references users,
  -- the address that the provider named last
  email text not null,
  created_at timestamptz not null default now(),
  last_login_at timestamptz not null default now(),
  primary key (org_id, connection_id, subject),
  foreign key (org_id, connection_id) references sso_connections on delete cascade
);
create index sso_identities_user on sso_identities (org_id, user_id);

-- A log-in on its way through the provider. Each step works once.
create table sso_attempts (
  org_id text collate "C" not null,
  state_hash bytea not null unique,
  connection_id text collate "C" not null,
  nonce text not null,
  verifier_enc bytea not null,
  -- of the cookie that binds the attempt to the browser in which it began
  browser_hash bytea not null,
  purpose text not null check (purpose in ('login', 'confirm', 'test')),
  -- whose identity is confirmed, or who tests; null for a log-in
  session_id text collate "C",
  user_id text collate "C",
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- when the provider sent the browser back
  returned_at timestamptz,
  handoff_hash bytea unique,
  handoff_until timestamptz,
  -- what the provider said about the person, until it is used
  claims jsonb,
  used_at timestamptz,
  primary key (org_id, state_hash),
  foreign key (org_id, connection_id) references sso_connections on delete cascade
);

alter table org_domains enable row level security;
alter table sso_connections enable row level security;
alter table sso_identities enable row level security;
alter table sso_attempts enable row level security;
create policy own_org on org_domains using (org_id = app_org());
create policy own_org on sso_connections using (org_id = app_org());
create policy own_org on sso_identities using (org_id = app_org());
create policy own_org on sso_attempts using (org_id = app_org());
grant select, insert, update, delete on org_domains, sso_connections, sso_identities, sso_attempts to countersign_app;

-- An account that single sign-on made has no password.
alter table users alter column password_hash drop not null;

alter table members
  -- sso: single sign-on made the membership, so the account's password and passkeys never open the organization
  add column entry text not null default 'any' check (entry in ('any', 'sso')),
  -- an admin who can log in without single sign-on where it is required
  add column break_glass boolean not null default false;

alter table org_security add column sso_mode text not null default 'off' check (sso_mode in ('off', 'optional', 'required'));
grant update (sso_mode) on org_security to countersign_app;

-- What the session began with. `sso:` and a connection: it is confined to its organization.
alter table sessions add column via text not null default 'password' check (via ~ '^(password|passkey|sso:.+)$');

-- Doors ----------------------------------------------------------------------------------------------------------------

-- Whether only single sign-on opens the organization to the member. `break_glass`: the member is an exception from it. The connection is
-- one that they can use.
create function log_in_rule(p_org_id text, p_user_id text) returns table (needs_sso boolean, break_glass boolean, connection_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.entry = 'sso' or (o.sso_mode = 'required' and not (m.break_glass and m.role = 'admin' and has_factor(m.user_id))),
    o.sso_mode = 'required' and m.break_glass and m.role = 'admin',
    (select min(c.connection_id) from sso_connections c where c.org_id = m.org_id and c.state = 'active')
  from members m join org_security o using (org_id) where m.org_id = p_org_id and m.user_id = p_user_id
$$;
-- Also says whether only single sign-on opens the organization to the person.
drop function orgs_of_user(text);
create function orgs_of_user(p_user_id text) returns table (org_id text, name text, role text, needs_sso boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, o.name, m.role, (select r.needs_sso from log_in_rule(m.org_id, m.user_id) r) from members m join orgs o using (org_id)
  where m.user_id = p_user_id
  order by (select max(s.created_at) from sessions s where s.org_id = m.org_id and s.user_id = m.user_id) desc nulls last, m.created_at
$$;
-- Whether an organization that requires single sign-on relies on the second factor of this person.
create function is_break_glass(p_user_id text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from members m join org_security o using (org_id)
    where m.user_id = p_user_id and m.break_glass and m.role = 'admin' and o.sso_mode = 'required')
$$;
-- The organization that has proved the domain and offers single sign-on, with its oldest active connection.
create function find_sso_by_domain(p_domain text) returns table (org_id text, connection_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id, min(c.connection_id) from org_domains d join org_security o using (org_id) join sso_connections c using (org_id)
  where d.domain = p_domain and d.verified_at is not null and o.sso_mode <> 'off' and c.state = 'active' group by c.org_id
$$;
create function org_of_sso_connection(p_connection_id text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id from sso_connections c where c.connection_id = p_connection_id
$$;
-- By the hash of its state, or of what the browser got after the provider.
create function org_of_sso_attempt(p_hash bytea) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select a.org_id from sso_attempts a where a.state_hash = p_hash or a.handoff_hash = p_hash
$$;
create function is_domain_elsewhere(p_org_id text, p_domain text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from org_domains d where d.domain = p_domain and d.verified_at is not null and d.org_id <> p_org_id)
$$;
create function org_of_domain_link(p_token_hash bytea) returns table (org_id text, domain_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.org_id, d.domain_id from org_domains d where d.mail_token_hash = p_token_hash and d.mail_expires_at > now()
$$;
create function domains_to_check() returns table (org_id text, domain_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.org_id, d.domain_id from org_domains d where d.method = 'dns' order by d.org_id, d.domain_id
$$;

-- The session, unless only single sign-on opens the organization to its member and the session began with something else. Single sign-on
-- counts as a second factor if its connection demands a strength.
create function authenticate_member(p_session_id text, p_quota integer, p_local boolean default false) returns table (
  org_id text, user_id text, role text, accepted boolean, quota integer, remaining integer, reset_at bigint, confirmed boolean, limited boolean,
  sso_connection text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  began text;
  strong boolean;
  needed boolean;
begin
  perform set_config('app.org', '', p_local);
  select se.via, 'sso' = any(se.factors), o.second_factor = 'required' into began, strong, needed
    from sessions se join members m on m.org_id = se.org_id and m.user_id = se.user_id left join org_security o on o.org_id = se.org_id
    where se.session_id = p_session_id
      and (se.via like 'sso:%' or (m.entry = 'any' and (o.sso_mode is distinct from 'required' or m.break_glass)));
  if not found then
    return;
  end if;
  return query select a.org_id, a.user_id, a.role, a.accepted, a.quota, a.remaining, a.reset_at, a.confirmed,
      case when began like 'sso:%' then coalesce(needed, false) and not strong else a.limited end,
      case when began like 'sso:%' then substr(began, 5) end
    from authenticate_session(p_session_id, p_quota, p_local) a;
end $$;

revoke all on function log_in_rule, orgs_of_user, is_break_glass, find_sso_by_domain, org_of_sso_connection, org_of_sso_attempt,
  is_domain_elsewhere, org_of_domain_link, domains_to_check, authenticate_member from public;
grant execute on function log_in_rule, orgs_of_user, is_break_glass, find_sso_by_domain, org_of_sso_connection, org_of_sso_attempt,
  is_domain_elsewhere, org_of_domain_link, domains_to_check, authenticate_member to countersign_app;

-- Secrets of connections are encrypted again with the others when APP_SECRET is replaced.
create or replace view encrypted_values as
  select v.*, (v.place || ' ' || coalesce(v.org_id, '') || ' ' || v.id) collate "C" as "position" from (
    select 'instance_keys.private_key_enc' as place, null as org_id, purpose || ' ' || generation as id, 'seals' as label,
      'instance key ' || purpose || case when generation = 1 then '' else ' ' || generation end as context, private_key_enc as value
      from instance_keys where private_key_enc is not null
    union all
    select 'factors.secret_enc', null, factor_id, 'factors', 'factor ' || factor_id, secret_enc from factors
    union all
    select 'mail_messages.body_enc', org_id, message_id, 'mail', body_context, body_enc from mail_messages where body_enc is not null
    union all
    select 'mail_senders.dkim_key_enc', org_id, org_id, 'mail', 'mail sender ' || org_id || ' dkim', dkim_key_enc from mail_senders
    union all
    select 'mail_senders.smtp_enc', org_id, org_id, 'mail', 'mail sender ' || org_id || ' smtp', smtp_enc from mail_senders
      where smtp_enc is not null
    union all
    -- The key of an org that another key service wraps is that service's to renew.
    select 'org_keys.wrapped', org_id, key_no::text, 'wrap', 'org key ' || org_id || ' ' || key_no, wrapped from org_keys where kek_id = 'local'
    union all
    select 'registries.secret_enc', org_id, org_id, 'webhooks', 'registry secret ' || org_id, secret_enc from registries
    union all
    select 'seal_keys.private_key_enc', org_id, seal_id, 'seals', 'seal key ' || org_id || ' ' || seal_id, private_key_enc from seal_keys
      where private_key_enc is not null
    union all
    select 'sso_attempts.verifier_enc', org_id, encode(state_hash, 'hex'), 'sso', 'sso verifier ' || encode(state_hash, 'hex'), verifier_enc
      from sso_attempts
    union all
    select 'sso_connections.client_secret_enc', org_id, connection_id, 'sso', 'sso secret ' || org_id || ' ' || connection_id,
      client_secret_enc from sso_connections
    union all
    select 'vault_exports.key_enc', org_id, export_id, 'exports', 'key of ' || export_id, key_enc from vault_exports
      where key_enc is not null
    union all
    select 'vault_transfers.k_enc', org_id, transfer_id, 'exports', 'package key of ' || transfer_id, k_enc from vault_transfers
      where k_enc is not null
    union all
    select 'webhook_endpoints.previous_secret_enc', org_id, endpoint_id, 'webhooks', 'webhook secret ' || org_id || ' ' || endpoint_id,
      previous_secret_enc from webhook_endpoints where previous_secret_enc is not null
    union all
    select 'webhook_endpoints.secret_enc', org_id, endpoint_id, 'webhooks', 'webhook secret ' || org_id || ' ' || endpoint_id, secret_enc
      from webhook_endpoints where secret_enc is not null
  ) v;
create or replace function re_wrap_value(p_place text, p_org_id text, p_id text, p_old bytea, p_new bytea) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from secret_versions where version = secret_version(p_new) and used_from is not null and retired_at is null) then
    raise exception 'the value is not encrypted under a version that is in use';
  end if;
  case p_place
    when 'instance_keys.private_key_enc' then
      update instance_keys set private_key_enc = p_new where purpose || ' ' || generation = p_id and private_key_enc = p_old;
    when 'factors.secret_enc' then
      update factors set secret_enc = p_new where factor_id = p_id and secret_enc = p_old;
    when 'mail_messages.body_enc' then
      update mail_messages set body_enc = p_new where message_id = p_id and body_enc = p_old;
    when 'mail_senders.dkim_key_enc' then
      update mail_senders set dkim_key_enc = p_new where org_id = p_org_id and dkim_key_enc = p_old;
    when 'mail_senders.smtp_enc' then
      update mail_senders set smtp_enc = p_new where org_id = p_org_id and smtp_enc = p_old;
    when 'org_keys.wrapped' then
      update org_keys set wrapped = p_new where org_id = p_org_id and key_no::text = p_id and kek_id = 'local' and wrapped = p_old;
    when 'registries.secret_enc' then
      update registries set secret_enc = p_new where org_id = p_org_id and secret_enc = p_old;
    when 'seal_keys.private_key_enc' then
      update seal_keys set private_key_enc = p_new where org_id = p_org_id and seal_id = p_id and private_key_enc = p_old;
    when 'sso_attempts.verifier_enc' then
      update sso_attempts set verifier_enc = p_new
      where org_id = p_org_id and encode(state_hash, 'hex') = p_id and verifier_enc = p_old;
    when 'sso_connections.client_secret_enc' then
      update sso_connections set client_secret_enc = p_new
      where org_id = p_org_id and connection_id = p_id and client_secret_enc = p_old;
    when 'vault_exports.key_enc' then
      update vault_exports set key_enc = p_new where org_id = p_org_id and export_id = p_id and key_enc = p_old;
    when 'vault_transfers.k_enc' then
      update vault_transfers set k_enc = p_new where org_id = p_org_id and transfer_id = p_id and direction = 'out' and k_enc = p_old;
    when 'webhook_endpoints.previous_secret_enc' then
      update webhook_endpoints set previous_secret_enc = p_new
      where org_id = p_org_id and endpoint_id = p_id and previous_secret_enc = p_old;
    when 'webhook_endpoints.secret_enc' then
      update webhook_endpoints set secret_enc = p_new where org_id = p_org_id and endpoint_id = p_id and secret_enc = p_old;
  end case;
  return found;
end $$;
