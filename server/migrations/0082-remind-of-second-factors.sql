-- Members who must add a second factor get an e-mail a day before their days of grace end.
alter table members add column factor_reminded_at timestamptz;

-- Those whose last day has begun, and who have known for longer than a day and were not reminded since. Requiring a factor anew counts anew.
create function find_factor_reminders() returns table (org_id text, user_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.org_id, m.user_id from org_security o join members m using (org_id)
  where o.second_factor = 'required' and greatest(o.second_factor_since, m.created_at) < now() - interval '1 day'
    and coalesce(m.factor_reminded_at < o.second_factor_since, true)
    and factor_due_at(m.org_id, m.user_id) between now() and now() + interval '1 day'
  order by m.org_id, m.user_id
$$;
revoke all on function find_factor_reminders from public;
grant execute on function find_factor_reminders to countersign_app;
