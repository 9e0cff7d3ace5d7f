-- Lists of many envelopes: owners, tags, words to search by, saved views, and the people to whom envelopes were sent.

alter table envelopes
  -- the member who looks after it; at first its creator, or the creator of the key that created it
  add column owner_user_id text collate "C",
  -- the name as it is sorted, folded by the program (shared/search-words.ts): a collation of the database can change with the system
  add column name_key text collate "C",
  -- a draft that was discarded
  add column discarded_at timestamptz,
  add column batch_id text collate "C",
  add column form_id text collate "C";
grant update (owner_user_id, name_key, discarded_at, batch_id, form_id) on envelopes to countersign_app;
update envelopes set discarded_at = ended_at where status = 'voided' and reason = 'discarded' and sent_at is null;

create index envelopes_of_owner on envelopes (org_id, owner_user_id, envelope_id desc) include (status, expires_at);
create index envelopes_by_name on envelopes (org_id, name_key, envelope_id);
create index envelopes_of_template on envelopes (org_id, template_id, envelope_id desc) where template_id is not null;
create index envelopes_of_batch on envelopes (org_id, batch_id, envelope_id desc) where batch_id is not null;
create index envelopes_of_form on envelopes (org_id, form_id, envelope_id desc) where form_id is not null;
create index envelopes_discarded on envelopes (org_id, envelope_id desc) where discarded_at is not null;
-- An envelope expires only while it is open. Those that are not come last in a list by expiry, as null does.
create index envelopes_by_expiry on envelopes (org_id, (case when status in ('sent', 'viewed') then expires_at end), envelope_id);

-- Row-level security keeps an index over email_key(email) from being used, because lower() is not leakproof. A column can be compared.
alter table customers add column email_key text collate "C" generated always as (lower(email collate "C")) stored;
grant select (email_key) on customers to countersign_app;
drop index customers_email;
create index customers_email on customers (org_id, email_key, customer_id);
alter table signers add column email_key text collate "C" generated always as (lower(email collate "C")) stored;
create index recipients_by_email on signers (org_id, email_key, envelope_id desc) include (status, invited_at);

create table tags (
  org_id text collate "C" not null references orgs,
  -- the name as it is compared, folded by the program
  tag_key text collate "C" not null,
  name text not null,
  colour text,
  created_at timestamptz not null default now(),
  primary key (org_id, tag_key)
);
create table envelope_tags (
  org_id text collate "C" not null,
  tag_key text collate "C" not null,
  envelope_id text collate "C" not null,
  primary key (org_id, tag_key, envelope_id),
  foreign key (org_id, tag_key) references tags on update cascade on delete cascade,
  foreign key (org_id, envelope_id) references envelopes
);
create index envelope_tags_of_envelope on envelope_tags (org_id, envelope_id, tag_key);
create table template_tags (
  org_id text collate "C" not null,
  tag_key text collate "C" not null,
  template_id text collate "C" not null,
  primary key (org_id, tag_key, template_id),
  foreign key (org_id, tag_key) references tags on update cascade on delete cascade,
  foreign key (org_id, template_id) references templates
);
create index template_tags_of_template on template_tags (org_id, template_id, tag_key);

-- The words by which records are found. Without foreign keys: a check for each word would cost more than the word, and neither envelopes
-- nor customers are deleted.
create table envelope_words (
  org_id text collate "C" not null,
  word text collate "C" not null,
  envelope_id text collate "C" not null,
  primary key (org_id, word, envelope_id)
);
create index envelope_words_of_envelope on envelope_words (org_id, envelope_id, word);
create table customer_words (
  org_id text collate "C" not null,
  word text collate "C" not null,
  customer_id text collate "C" not null,
  primary key (org_id, word, customer_id)
);
create index customer_words_of_customer on customer_words (org_id, customer_id, word);

-- The people to whom envelopes were sent.
create table recent_recipients (
  org_id text collate "C" not null references orgs,
  email_key text collate "C" not null,
  email text not null,
  name text not null,
  uses integer not null default 1,
  last_used_at timestamptz not null default now(),
  primary key (org_id, email_key)
);
create index recent_recipients_by_use on recent_recipients (org_id, last_used_at desc);
create table recipient_words (
  org_id text collate "C" not null,
  word text collate "C" not null,
  email_key text collate "C" not null,
  primary key (org_id, word, email_key),
  foreign key (org_id, email_key) references recent_recipients on delete cascade
);
create index recipient_words_of_recipient on recipient_words (org_id, email_key, word);

create table saved_views (
  org_id text collate "C" not null references orgs,
  view_id text collate "C" not null,
  -- null: shared with every member
  user_id text collate "C",
  name text not null,
  -- parameters of the list of envelopes
  query jsonb not null,
  position integer not null,
  created_at timestamptz not null default now(),
  primary key (org_id, view_id)
);
create index saved_views_of_user on saved_views (org_id, user_id, position);

-- What a job still has to fill in for records that existed before. `cursor` is the last id that is done. No row: nothing to do.
create table backfills (
  name text not null,
  org_id text collate "C" not null references orgs,
  cursor text collate "C" not null default '',
  done_at timestamptz,
  primary key (name, org_id)
);
create index backfills_to_do on backfills (name, org_id) where done_at is null;
insert into backfills (name, org_id) select 'customer-words', org_id from orgs union all select 'envelope-words', org_id from orgs;
insert into outbox (task, payload, job_key)
select 'envelopes.index-words', '{}', 'envelopes.index-words' where exists (select from orgs);

alter table tags enable row level security;
alter table envelope_tags enable row level security;
alter table template_tags enable row level security;
alter table envelope_words enable row level security;
alter table customer_words enable row level security;
alter table recent_recipients enable row level security;
alter table recipient_words enable row level security;
alter table saved_views enable row level security;
alter table backfills enable row level security;
create policy own_org on tags using (org_id = app_org());
create policy own_org on envelope_tags using (org_id = app_org());
create policy own_org on template_tags using (org_id = app_org());
create policy own_org on envelope_words using (org_id = app_org());
create policy own_org on customer_words using (org_id = app_org());
create policy own_org on recent_recipients using (org_id = app_org());
create policy own_org on recipient_words using (org_id = app_org());
create policy own_org on saved_views using (org_id = app_org());
create policy own_org on backfills using (org_id = app_org());
grant select, insert, delete on envelope_tags, template_tags, envelope_words, customer_words, recipient_words to countersign_app;
grant select, insert, update (tag_key, name, colour), delete on tags to countersign_app;
grant select, insert, update (email, name, uses, last_used_at), delete on recent_recipients to countersign_app;
grant select, insert, update (user_id, name, query, position), delete on saved_views to countersign_app;
grant select, update (cursor, done_at) on backfills to countersign_app;

-- Organizations with records to fill in, for the job; it then works per organization.
create function find_backfills(p_limit integer) returns table (org_id text, name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select b.org_id, b.name from backfills b where b.done_at is null order by b.name, b.org_id limit p_limit
$$;

-- The subset `live` has every envelope that was not discarded. Discarding removes the buckets of this subset from its id on, under a shared
-- lock, so that no bucket is being made at the same time; the next sweep makes them again.
grant delete on envelope_buckets to countersign_app;
create or replace function fill_envelope_buckets(p_size integer, p_age interval, p_since interval) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  list record;
  filled integer := 0;
  last text;
  next text;
begin
  -- One at a time: two would number the same bucket.
  if not pg_try_advisory_xact_lock(hashtextextended('envelope-buckets', 0)) then return 0; end if;
  for list in
    with young as materialized (select distinct e.org_id, e.customer_id from envelopes e where e.created_at > now() - p_since)
    select distinct y.org_id, s.subset from young y, (values (''), ('live')) s (subset)
    union
    -- Most customers have fewer envelopes than a bucket. That is one look at the index for each.
    select y.org_id, y.customer_id from young y where exists (
      select from envelopes e where e.org_id = y.org_id and e.customer_id = y.customer_id offset p_size - 1)
    union
    -- Buckets that a discarded envelope removed are made again, however long ago the last envelope was created.
    select b.org_id, 'live' from envelope_buckets b where b.subset = ''
    group by b.org_id having count(*) > 1 + (select count(*) from envelope_buckets l where l.org_id = b.org_id and l.subset = 'live')
      + (select count(*) from envelopes d where d.org_id = b.org_id and d.discarded_at is not null) / p_size
  loop
    loop
      select b.last_id into last from envelope_buckets b
        where b.org_id = list.org_id and b.subset = list.subset order by b.bucket_no desc limit 1;
      -- Three statements, because no index serves a condition for all of them: the list of a customer must not read all envelopes of the org.
      if list.subset = '' then
        select e.envelope_id into next from envelopes e
          where e.org_id = list.org_id and e.envelope_id > coalesce(last, '') order by e.envelope_id offset p_size - 1 limit 1;
      elsif list.subset = 'live' then
        select e.envelope_id into next from envelopes e
          where e.org_id = list.org_id and e.envelope_id > coalesce(last, '') and e.discarded_at is null
          order by e.envelope_id offset p_size - 1 limit 1;
      else
        select e.envelope_id into next from envelopes e
          where e.org_id = list.org_id and e.customer_id = list.subset and e.envelope_id > coalesce(last, '')
          order by e.envelope_id offset p_size - 1 limit 1;
      end if;
      exit when next is null or not exists (
        select from envelopes e where e.org_id = list.org_id and e.envelope_id = next and e.created_at <= now() - p_age);
      insert into envelope_buckets (org_id, subset, bucket_no, last_id)
        select list.org_id, list.subset, coalesce(max(b.bucket_no), 0) + 1, next from envelope_buckets b
        where b.org_id = list.org_id and b.subset = list.subset;
      filled := filled + 1;
    end loop;
  end loop;
  return filled;
end $$;

-- People to whom nothing was sent for two years, for the hourly clean-up.
create function forget_recent_recipients(p_age interval) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from recent_recipients r where (r.org_id, r.email_key) in (
      select old.org_id, old.email_key from recent_recipients old where old.last_used_at < now() - p_age limit 10000) returning 1)
  select count(*)::int from gone
$$;

revoke all on function find_backfills, fill_envelope_buckets, forget_recent_recipients from public;
grant execute on function find_backfills, fill_envelope_buckets, forget_recent_recipients to countersign_app;
