-- Systems of an organization that its audit entries are sent to, in the order of the log.
create table audit_sinks (
  org_id text collate "C" not null references orgs,
  sink_id text collate "C" not null,
  kind text not null check (kind in ('webhook', 'syslog')),
  target text not null,
  -- what signs requests, encrypted under the key of the org; syslog has none
  secret_sealed bytea,
  key_no integer,
  enabled boolean not null default true,
  -- the last position of the log that the sink has received; -1: nothing yet
  after bigint not null,
  last_success_at timestamptz,
  -- the first failure after which nothing arrived
  failing_since timestamptz,
  failures integer not null default 0,
  last_error text,
  next_attempt_at timestamptz,
  -- when the admins got a message about the failures
  told_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, sink_id),
  check ((kind = 'webhook') = (secret_sealed is not null)),
  check ((secret_sealed is null) = (key_no is null)),
  foreign key (org_id, key_no) references org_keys
);
alter table audit_sinks enable row level security;
create policy own_org on audit_sinks using (org_id = app_org());
grant select, delete on audit_sinks to countersign_app;
grant insert (org_id, sink_id, kind, target, secret_sealed, key_no, enabled, after) on audit_sinks to countersign_app;
grant update (target, enabled, after, last_success_at, failing_since, failures, last_error, next_attempt_at, told_at, updated_at)
  on audit_sinks to countersign_app;

-- Sinks of all orgs whose turn it is. Whether there is anything to send is looked up for each.
create function due_sinks() returns table (org_id text, sink_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id, s.sink_id from audit_sinks s where s.enabled and (s.next_attempt_at is null or s.next_attempt_at <= now())
  order by s.org_id, s.sink_id
$$;

-- How far the operator's system (AUDIT_SYSLOG_URL) has received the entries of all orgs. A new address begins with new entries.
create table operator_sinks (
  target text primary key,
  after bigint not null,
  failing_since timestamptz,
  last_error text
);
grant select, insert on operator_sinks to countersign_app;
grant update (after, failing_since, last_error) on operator_sinks to countersign_app;

-- Entries of all orgs in the order of the log, for the operator's system.
create function list_placed_entries(p_after bigint, p_until bigint, p_limit integer) returns table (leaf_index bigint, org_id text,
  subject text, seq integer, type text, at timestamptz, actor jsonb, data jsonb, hash text, prev text)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.leaf_index, p.org_id, e.subject, e.seq, e.type, e.at, e.actor, d.data, e.hash, e.prev
  from audit_positions p join audit_entries e using (org_id, subject, seq) left join audit_entry_data d using (org_id, subject, seq)
  where p.leaf_index > p_after and p.leaf_index <= p_until order by p.leaf_index limit p_limit
$$;
create index audit_positions_in_order on audit_positions (leaf_index);

revoke all on function due_sinks, list_placed_entries from public;
grant execute on function due_sinks, list_placed_entries to countersign_app;
