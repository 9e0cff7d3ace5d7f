-- phase: expand
-- mode: transaction
-- When the operator was last told of a problem by e-mail.
alter table failed_jobs add column told_at timestamptz;

-- The problems for one message to the operator, if one is due: at once for a new problem, but at most every 15 minutes, and once a day while a
-- problem is open. Of two workers that ask at the same time, one gets them.
create function take_problems_to_tell() returns table (
  problem_id text, task text, org_id text, envelope_id text, state text, error_code text, attempts integer, is_new boolean)
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select where not exists (select from failed_jobs t where t.told_at > now() - interval '15 minutes')
      and exists (select from failed_jobs f where f.state in ('retrying', 'failed') and (f.told_at is null or f.told_at <= now() - interval '1 day'))),
  open as (
    select f.job_id, f.told_at is null as is_new from failed_jobs f
    where exists (select from due) and f.state in ('retrying', 'failed') and (f.told_at is null or f.told_at <= now() - interval '15 minutes')
    for update),
  told as (update failed_jobs f set told_at = now() from open o where f.job_id = o.job_id returning f.*, o.is_new)
  select t.problem_id, t.task, t.org_id, t.envelope_id, t.state, t.error_code, t.attempts, t.is_new from told t order by t.problem_id
$$;
revoke all on function take_problems_to_tell() from public;
grant execute on function take_problems_to_tell() to countersign_app;
