-- phase: expand
-- mode: transaction
-- The chains of the slices from p_from to before p_to, after the given one. A head without entries and entries without a head are chains too,
-- of which someone took a part. Planned for each call, because a plan for any slices and any limit sorts all of them. find_chains, which
-- reads all chains each time, is for earlier versions of the program.
create function find_chains_between(p_from integer, p_to integer, p_slice integer, p_org text, p_subject text, p_limit integer)
returns table (slice integer, org_id text, subject text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute $query$
    (select (abs(hashtext(h.subject)::bigint) % 1024)::integer, h.org_id, h.subject from audit_heads h
      where abs(hashtext(h.subject)::bigint) % 1024 >= $1 and abs(hashtext(h.subject)::bigint) % 1024 < $2
        and (abs(hashtext(h.subject)::bigint) % 1024, h.org_id, h.subject) > ($3, $4, $5)
      order by abs(hashtext(h.subject)::bigint) % 1024, h.org_id, h.subject limit $6)
    union
    (select (abs(hashtext(e.subject)::bigint) % 1024)::integer, e.org_id, e.subject from audit_entries e
      where e.seq = 1 and abs(hashtext(e.subject)::bigint) % 1024 >= $1 and abs(hashtext(e.subject)::bigint) % 1024 < $2
        and (abs(hashtext(e.subject)::bigint) % 1024, e.org_id, e.subject) > ($3, $4, $5)
      order by abs(hashtext(e.subject)::bigint) % 1024, e.org_id, e.subject limit $6)
    order by 1, 2, 3 limit $6
  $query$ using p_from, p_to, p_slice, p_org, p_subject, p_limit;
end $$;
revoke all on function find_chains_between from public;
grant execute on function find_chains_between to countersign_app;
