-- What did not work: jobs that failed several times, and those that are not tried any more. Copied from the queue by the worker's heartbeat,
-- which reads the queue itself, so nothing is missed after a crash. Rows without an organization are for the command line only.
create table failed_jobs (
  problem_id text collate "C" primary key,
  job_id bigint not null unique,
  task text not null,
  org_id text collate "C",
  envelope_id text collate "C",
  state text not null check (state in ('retrying', 'failed', 'retry_requested', 'resolved', 'discarded')),
  attempts integer not null,
  first_failed_at timestamptz not null,
  last_failed_at timestamptz not null,
  next_attempt_at timestamptz,
  error_code text not null check (error_code in ('store_away', 'seal_unavailable', 'provider_refused', 'pdf_deadline', 'internal')),
  -- for operators alone; at most 1,000 characters
  error text not null,
  -- who retried or discarded it last
  acted_by text,
  acted_at timestamptz
);
create index failed_jobs_by_org on failed_jobs (org_id, problem_id);
create index failed_jobs_open on failed_jobs (job_id) where state in ('retrying', 'failed', 'retry_requested', 'discarded');
alter table failed_jobs enable row level security;
create policy own_org on failed_jobs using (org_id = app_org());
grant select, update (state, acted_by, acted_at) on failed_jobs to countersign_app;

-- The class of an error stands before its message, or the code of a problem.
create function failed_job_code(p_error text) returns text
language sql immutable set search_path = public, pg_temp as $$
  select case
    when p_error ~ '^(StoreUnavailable|Problem storage_away)' then 'store_away'
    when p_error ~ '^SealUnavailable' then 'seal_unavailable'
    when p_error ~ '^Problem provider_' then 'provider_refused'
    when p_error ~ '^(PdfBusy|Problem pdf_busy)' then 'pdf_deadline'
    else 'internal' end
$$;

-- Copies the state of the queue, and does what people asked for: tries jobs again, and removes discarded ones. `p_ids`: ids for new rows.
-- `p_keyed`: tasks whose replaced jobs look exhausted and are not.
create function note_failed_jobs(p_ids text[], p_after integer, p_keyed text[]) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ids bigint[];
  v_added integer;
begin
  insert into failed_jobs as f (problem_id, job_id, task, org_id, envelope_id, state, attempts, first_failed_at, last_failed_at, next_attempt_at,
      error_code, error)
    select p_ids[n.place], n.id, n.identifier, n.payload ->> 'org_id', n.payload ->> 'envelope_id',
      case when n.attempts >= n.max_attempts then 'failed' else 'retrying' end, n.attempts, n.updated_at, n.updated_at,
      case when n.attempts < n.max_attempts then n.run_at end, failed_job_code(n.last_error), left(n.last_error, 1000)
    from (
      select j.*, t.identifier, row_number() over (order by j.id) as place
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where (j.attempts >= p_after or j.attempts >= j.max_attempts) and j.last_error is not null and j.locked_at is null
        and not (j.key is null and j.attempts >= j.max_attempts and t.identifier = any(p_keyed))
        and not exists (select from failed_jobs known where known.job_id = j.id)
      order by j.id limit cardinality(p_ids)) n
    on conflict (job_id) do nothing;
  get diagnostics v_added = row_count;

  -- Before the states are copied: a job that was asked to be tried again still looks exhausted. The rows are locked, so that two workers do
  -- this once.
  select array_agg(r.job_id) into v_ids from (
    select f.job_id from failed_jobs f join graphile_worker._private_jobs j on j.id = f.job_id
    where f.state = 'retry_requested' and j.locked_at is null for update of f skip locked) r;
  if v_ids is not null then
    perform graphile_worker.reschedule_jobs(v_ids, run_at => now(), attempts => 0);
    update failed_jobs set state = 'retrying', next_attempt_at = now() where job_id = any(v_ids);
  end if;

  select array_agg(j.id) into v_ids from failed_jobs f join graphile_worker._private_jobs j on j.id = f.job_id
    where f.state = 'discarded' and j.locked_at is null;
  if v_ids is not null then
    perform graphile_worker.complete_jobs(v_ids);
  end if;

  update failed_jobs f set state = case when j.attempts >= j.max_attempts then 'failed' else 'retrying' end, attempts = j.attempts,
      last_failed_at = j.updated_at, next_attempt_at = case when j.attempts < j.max_attempts then j.run_at end,
      error_code = failed_job_code(j.last_error), error = left(j.last_error, 1000)
    from graphile_worker._private_jobs j
    where j.id = f.job_id and f.state in ('retrying', 'failed') and j.locked_at is null and j.last_error is not null and j.attempts > 0
      and (j.attempts, j.attempts >= j.max_attempts) is distinct from (f.attempts, f.state = 'failed');

  update failed_jobs f set state = 'resolved', next_attempt_at = null
    where f.state in ('retrying', 'failed', 'retry_requested')
      and not exists (select from graphile_worker._private_jobs j where j.id = f.job_id);
  return v_added;
end $$;

-- For the command line.
create function list_failed_jobs(p_state text, p_org text, p_task text) returns setof failed_jobs
language sql stable security definer set search_path = public, pg_temp as $$
  select * from failed_jobs f
  where case when p_state is null then f.state in ('retrying', 'failed', 'retry_requested') else f.state = p_state end
    and (p_org is null or f.org_id = p_org) and (p_task is null or f.task = p_task)
  order by f.problem_id
$$;
create function move_failed_job(p_problem_id text, p_from text[], p_to text, p_by text) returns setof failed_jobs
language sql security definer set search_path = public, pg_temp as $$
  update failed_jobs f set state = p_to, acted_by = p_by, acted_at = now()
  where f.problem_id = p_problem_id and f.state = any(p_from) and p_to in ('retry_requested', 'discarded') returning f.*
$$;
revoke all on function failed_job_code, note_failed_jobs, list_failed_jobs, move_failed_job from public;
grant execute on function note_failed_jobs to countersign_queue;
grant execute on function list_failed_jobs, move_failed_job to countersign_app;
