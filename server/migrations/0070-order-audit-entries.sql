-- The place of each audit entry in the log is an order without gaps, also across the chains of an organization. It is stored with the
-- entry's chain and number, so that an organization can read its entries in that order and continue where it stopped.

alter table log_queue add column org_id text, add column subject text, add column seq integer;
update log_queue q set org_id = e.org_id, subject = e.subject, seq = e.seq from audit_entries e where e.hash = q.hash;

-- The app's role can only insert here. Records of the log itself have no organization.
alter table log_queue enable row level security;
create policy own_org on log_queue using (org_id = app_org()) with check (org_id is null or org_id = app_org());

create table audit_positions (
  org_id text not null,
  leaf_index bigint not null,
  subject text not null,
  seq integer not null,
  primary key (org_id, leaf_index)
);
insert into audit_positions (org_id, leaf_index, subject, seq)
  select e.org_id, l.leaf_index, e.subject, e.seq from log_leaves l join audit_entries e on e.hash = l.hash
  on conflict do nothing;
alter table audit_positions enable row level security;
create policy own_org on audit_positions using (org_id = app_org());
grant select on audit_positions to countersign_app;

-- As in 0016, and the positions of entries. Records of the log itself belong to no organization.
create or replace function sequence_log(p_limit integer) returns table (leaf_index bigint, hash text)
language sql security definer set search_path = public, pg_temp as $$
  with oldest as (
    select log_queue_id from log_queue order by log_queue_id limit p_limit
  ), taken as (
    delete from log_queue q using oldest o where q.log_queue_id = o.log_queue_id
    returning q.log_queue_id, q.hash, q.org_id, q.subject, q.seq
  ), numbered as (
    select t.*, coalesce((select max(l.leaf_index) + 1 from log_leaves l), 0) + row_number() over (order by t.log_queue_id) - 1 as leaf_index
    from taken t
  ), placed as (
    insert into log_leaves (leaf_index, hash) select n.leaf_index, n.hash from numbered n returning log_leaves.leaf_index, log_leaves.hash
  ), positions as (
    insert into audit_positions (org_id, leaf_index, subject, seq)
    select n.org_id, n.leaf_index, n.subject, n.seq from numbered n where n.org_id is not null
    -- Only if leaves were removed, which the caller notices.
    on conflict do nothing
  )
  select p.leaf_index, p.hash from placed p order by p.leaf_index
$$;
