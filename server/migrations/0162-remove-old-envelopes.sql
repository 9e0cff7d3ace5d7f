-- phase: expand
-- mode: transaction
-- Rows, after those that refer to them, and those that refer to these, and so on. Only for doors: it has the rights of its caller.
create function delete_with_dependents(p_table regclass, p_where text) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  k record;
begin
  for k in
    select c.conrelid::regclass as child,
      (select string_agg(quote_ident(a.attname), ', ' order by u.n) from unnest(c.conkey) with ordinality u (attnum, n)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = u.attnum) as of_child,
      (select string_agg(quote_ident(a.attname), ', ' order by u.n) from unnest(c.confkey) with ordinality u (attnum, n)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = u.attnum) as of_parent
    from pg_constraint c
    where c.contype = 'f' and c.conparentid = 0 and c.confrelid = p_table and c.conrelid <> p_table order by c.oid
  loop
    perform delete_with_dependents(k.child, format('(%s) in (select %s from %s where %s)', k.of_child, k.of_parent, p_table, p_where));
  end loop;
  execute format('delete from %s where %s', p_table, p_where);
end $$;
revoke all on function delete_with_dependents from public;

-- Removes up to p_limit envelopes of a sandbox that are older, with everything about them: records in its vault, their holds, audit trails, mail.
-- Events and the rows of bulk sends stay. Figures and the numbers of lists are corrected.
create function remove_old_envelopes(p_org_id text, p_age interval, p_limit integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids text[];
  c record;
begin
  perform from orgs o where o.org_id = p_org_id and o.sandbox_of is not null;
  if not found then
    raise exception 'only a sandbox loses its envelopes';
  end if;
  -- Whoever acts on an envelope locks it first.
  select coalesce(array_agg(x.envelope_id), '{}') into ids from (
    select e.envelope_id from envelopes e where e.org_id = p_org_id and e.created_at < now() - p_age
    order by e.created_at limit p_limit for update skip locked) x;
  if cardinality(ids) = 0 then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('envelope-buckets', 0));
  perform pg_advisory_xact_lock(hashtextextended('vault_no ' || p_org_id, 0));

  insert into envelope_count_changes (org_id, day, kind, n)
    select e.org_id, d.day, d.kind, -count(*) from envelopes e cross join lateral (values
      (e.status, date '-infinity'),
      (case when e.discarded_at is not null then 'discarded' end, date '-infinity'),
      ('created', (e.created_at at time zone 'UTC')::date),
      ('sent', (e.sent_at at time zone 'UTC')::date),
      ('completed', (e.completed_at at time zone 'UTC')::date),
      (case when e.status in ('declined', 'voided') and e.discarded_at is null then e.status end, (e.ended_at at time zone 'UTC')::date),
      (case when e.status = 'expired' then e.status end, (e.expires_at at time zone 'UTC')::date)
    ) as d (kind, day) where e.org_id = p_org_id and e.envelope_id = any(ids) and d.kind is not null and d.day is not null
    group by e.org_id, d.day, d.kind;
  insert into envelope_count_changes (org_id, day, kind, n)
    select a.org_id, (a.stored_at at time zone 'UTC')::date, 'vaulted', -count(*) from authoritative_copies a
    where a.org_id = p_org_id and a.envelope_id = any(ids) and a.vault_no is not null group by 1, 2;

  -- The sweep of the store keeps those again that another row uses.
  update blobs b set kept = false, put_at = now() where b.org_id = p_org_id and b.kept and b.sha256 in (
    select x.sha256 from authoritative_copies x where x.org_id = p_org_id and x.envelope_id = any(ids)
    union all select unnest(array[x.facts_sha256, x.json_sha256, x.pdf_sha256]) from certificates x where x.org_id = p_org_id and x.envelope_id = any(ids)
    union all select x.sha256 from completion_certificates x where x.org_id = p_org_id and x.envelope_id = any(ids)
    union all select x.sha256 from document_versions x where x.org_id = p_org_id and x.envelope_id = any(ids)
    union all select unnest(array[x.hash, x.pdf_sha256]) from documents x where x.org_id = p_org_id and x.envelope_id = any(ids)
    union all select x.sha256 from evidence_files x where x.org_id = p_org_id and x.envelope_id = any(ids)
    union all select unnest(array[x.certificate_sha256, x.pdf_sha256]) from record_endings x where x.org_id = p_org_id and x.envelope_id = any(ids)
    union all select x.bundle_sha256 from record_origins x where x.org_id = p_org_id and x.envelope_id = any(ids)
    union all select x.package_sha256 from vault_exports x where x.org_id = p_org_id and x.envelope_id = any(ids)
    union all select x.package_sha256 from vault_transfers x where x.org_id = p_org_id and x.envelope_id = any(ids));

  perform delete_with_dependents('envelopes', format('org_id = %L and envelope_id = any(%L::text[])', p_org_id, ids));
  perform delete_with_dependents('audit_entries', format('org_id = %L and subject = any(%L::text[])', p_org_id, ids));
  delete from audit_heads x where x.org_id = p_org_id and x.subject = any(ids);
  delete from audit_positions x where x.org_id = p_org_id and x.subject = any(ids);
  delete from envelope_words x where x.org_id = p_org_id and x.envelope_id = any(ids);
  delete from failed_jobs x where x.org_id = p_org_id and x.envelope_id = any(ids);
  delete from envelope_buckets x where x.org_id = p_org_id;
  -- One after the other, so that no number is given twice.
  for c in
    select x.copy_id, x.place from (
      select a.copy_id, a.vault_no, row_number() over (order by a.vault_no) as place from authoritative_copies a
      where a.org_id = p_org_id and a.vault_no is not null) x
    where x.vault_no <> x.place order by x.place
  loop
    update authoritative_copies a set vault_no = c.place where a.org_id = p_org_id and a.copy_id = c.copy_id;
  end loop;
  return cardinality(ids);
end $$;
revoke all on function remove_old_envelopes from public;
grant execute on function remove_old_envelopes to countersign_app;
