-- The statistics of the queue are mostly those of an empty one. With them, the join of 0070 compared each queued entry with each of those to
-- take: 29 seconds for 10,000. A range is read once, whatever the statistics say. Rows that become visible later have their turn later, also
-- if their ids are smaller.
create or replace function sequence_log(p_limit integer) returns table (leaf_index bigint, hash text)
language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from log_queue q
    where q.log_queue_id <= (
      select max(o.log_queue_id) from (select log_queue_id from log_queue order by log_queue_id limit p_limit) o)
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
