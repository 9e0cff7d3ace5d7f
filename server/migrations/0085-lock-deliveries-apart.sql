-- As in 0012, with a lock of its own. The one there is also the log's, so a sequencer that was busy kept deliveries waiting, and the other
-- way round. The second key is the shard; so far there is one.
create or replace function take_due_deliveries(p_limit integer, p_per_endpoint integer, p_per_org integer, p_lease interval)
returns table (org_id text, delivery_id text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz;
begin
  -- Workers take turns. Two that count the free places of an endpoint at the same time would both fill them.
  perform pg_advisory_xact_lock(5013, 0);
  -- A value, because an index cannot be asked for a time that moves on: what waits for a later attempt would be read each time.
  at := clock_timestamp();
  return query
  with recursive waiting as (
    (select d.org_id, d.endpoint_id from webhook_deliveries d where d.status = 'pending' order by d.org_id, d.endpoint_id limit 1)
    union all
    select n.org_id, n.endpoint_id from waiting w, lateral (
      select d.org_id, d.endpoint_id from webhook_deliveries d
      where d.status = 'pending' and (d.org_id, d.endpoint_id) > (w.org_id, w.endpoint_id)
      order by d.org_id, d.endpoint_id limit 1) n
  ), places as (
    select w.org_id, w.endpoint_id, p_per_endpoint - (
      select count(*) from webhook_deliveries h
      where h.org_id = w.org_id and h.endpoint_id = w.endpoint_id and h.leased_until > at)::integer as free
    from waiting w
  ), due as (
    select t.* from places p, lateral (
      select d.org_id, d.delivery_id, d.next_attempt_at, d.event_seq from webhook_deliveries d
      where d.org_id = p.org_id and d.endpoint_id = p.endpoint_id and d.status = 'pending' and d.next_attempt_at <= at
        and (d.leased_until is null or d.leased_until <= at)
        and (d.attempt_count > 0 or d.envelope_id is null or not exists (
          select from webhook_deliveries e
          where e.org_id = d.org_id and e.endpoint_id = d.endpoint_id and e.envelope_id = d.envelope_id and e.event_seq < d.event_seq
            and e.status = 'pending' and e.attempt_count = 0))
      order by d.next_attempt_at, d.event_seq limit greatest(p.free, 0)
      for no key update skip locked) t
  ), in_turn as (
    select due.org_id, due.delivery_id, due.next_attempt_at, due.event_seq,
      row_number() over (partition by due.org_id order by due.next_attempt_at, due.event_seq) + (
        select count(*) from webhook_deliveries h where h.org_id = due.org_id and h.leased_until > at) as turn
    from due
  ), taken as (
    select t.org_id, t.delivery_id from in_turn t where t.turn <= p_per_org order by t.turn, t.next_attempt_at, t.event_seq limit p_limit
  )
  update webhook_deliveries d set leased_until = at + p_lease
  from taken where d.org_id = taken.org_id and d.delivery_id = taken.delivery_id
  returning d.org_id, d.delivery_id;
end $$;
