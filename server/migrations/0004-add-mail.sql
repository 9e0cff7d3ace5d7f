-- Mail waits here until it is sent. Subject and text are encrypted: links that open accounts are among them. A message
-- to a person (reset, invitation) has no org: people can be in several, and no org may read it.
create table mail_messages (
  mail_id bigint generated always as identity primary key,
  org_id text collate "C",
  kind text not null,
  to_address text not null,
  body_context text not null,
  body_enc bytea,
  created_at timestamptz not null default now(),
  -- past this the links inside are dead and the message is not worth sending
  expires_at timestamptz not null,
  sent_at timestamptz
);
create index mail_messages_org on mail_messages (org_id, mail_id);
create index mail_messages_expiry on mail_messages (expires_at) where body_enc is not null;
alter table mail_messages enable row level security;
create policy own_org on mail_messages for select using (org_id = app_org());
create policy write on mail_messages for insert with check (org_id is null or org_id = app_org());
grant select, insert on mail_messages to countersign_app;

create function forget_mail_bodies() returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with gone as (update mail_messages set body_enc = null where body_enc is not null and expires_at < now() returning 1)
  select count(*) from gone
$$;
revoke all on function forget_mail_bodies from public;
grant execute on function forget_mail_bodies to countersign_app;
