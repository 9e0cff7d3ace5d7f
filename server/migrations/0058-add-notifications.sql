-- What members are notified of, in the console and by e-mail.

create table notifications (
  org_id text collate "C" not null references orgs,
  notification_id text collate "C" not null,
  user_id text collate "C" not null references users,
  kind text not null,
  envelope_id text collate "C",
  batch_id text collate "C",
  -- the names in the sentence, as they were
  data jsonb not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (org_id, notification_id),
  foreign key (org_id, envelope_id) references envelopes
);
create index notifications_of_user on notifications (org_id, user_id, notification_id desc);
create index notifications_unread on notifications (org_id, user_id, notification_id desc) where read_at is null;
create index notifications_by_age on notifications (created_at);

-- Only what a person has changed. Without a row, the person is notified in both ways.
create table notification_settings (
  org_id text collate "C" not null references orgs,
  user_id text collate "C" not null references users,
  kind text not null,
  console boolean not null,
  mail boolean not null,
  primary key (org_id, user_id, kind)
);

alter table notifications enable row level security;
alter table notification_settings enable row level security;
create policy own_org on notifications using (org_id = app_org());
create policy own_org on notification_settings using (org_id = app_org());
grant select, insert, update (read_at) on notifications to countersign_app;
grant select, insert, update (console, mail) on notification_settings to countersign_app;

-- The expiry of which the sender was notified two days before. Another one is notified of again.
alter table envelopes add column expiry_told_for timestamptz;
grant update (expiry_told_for) on envelopes to countersign_app;
create index envelopes_expiring_untold on envelopes (expires_at)
  where status in ('sent', 'viewed') and expiry_told_for is distinct from expires_at;

-- The same with envelopes that expire within two days, unless they were sent for less than that.
create or replace function find_due_envelopes(p_limit integer) returns table (org_id text, envelope_id text, due text)
language sql stable security definer set search_path = public, pg_temp as $$
  (select e.org_id, e.envelope_id, 'expire' from envelopes e where e.status in ('sent', 'viewed') and e.expires_at <= now() order by e.expires_at limit p_limit)
  union all
  (select e.org_id, e.envelope_id, 'remind' from envelopes e
   where e.status in ('sent', 'viewed') and e.next_reminder_at <= now() and e.expires_at > now() order by e.next_reminder_at limit p_limit)
  union all
  (select e.org_id, e.envelope_id, 'tell_expiry' from envelopes e
   where e.status in ('sent', 'viewed') and e.expiry_told_for is distinct from e.expires_at
     and e.expires_at > now() and e.expires_at <= now() + interval '2 days' and e.expires_at > e.sent_at + interval '2 days'
   order by e.expires_at limit p_limit)
$$;

-- For the hourly clean-up.
create function forget_notifications(p_age interval) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from notifications n where (n.org_id, n.notification_id) in (
      select old.org_id, old.notification_id from notifications old where old.created_at < now() - p_age limit 10000) returning 1)
  select count(*)::int from gone
$$;
revoke all on function forget_notifications from public;
grant execute on function forget_notifications to countersign_app;
