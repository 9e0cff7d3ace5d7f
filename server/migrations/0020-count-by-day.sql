-- The figures by day. Whatever happened to an envelope changed it, so one index over the latest change finds what was made, sent,
-- completed or ended lately, and the columns along spare a look at each row.
create index envelopes_by_change on envelopes (org_id, updated_at)
  include (status, created_at, sent_at, completed_at, ended_at, expires_at);
create index vault_by_day on authoritative_copies (org_id, stored_at) where vault_no is not null;

-- How attempts ended, counted when they do: to count them later would be to read every one, and an index with their outcome in it would
-- make each outcome dearer to write. `day` is of UTC. Whoever settles an attempt holds its endpoint's lock, so nobody waits here.
create table webhook_days (
  org_id text collate "C" not null,
  day date not null,
  endpoint_id text collate "C" not null,
  succeeded integer not null,
  failed integer not null,
  primary key (org_id, day, endpoint_id),
  foreign key (org_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 70);
insert into webhook_days (org_id, day, endpoint_id, succeeded, failed)
select org_id, (attempted_at at time zone 'UTC')::date, endpoint_id, count(*) filter (where status = 'succeeded'), count(*) filter (where status = 'failed')
from webhook_attempts where status in ('succeeded', 'failed') and error is distinct from 'interrupted' and attempted_at is not null
group by 1, 2, 3;
alter table webhook_days enable row level security;
create policy own_org on webhook_days using (org_id = app_org());
grant select, insert, update (succeeded, failed) on webhook_days to countersign_app;
