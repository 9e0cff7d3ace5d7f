-- The life of an envelope from its first day to its end, and who signs it.
alter table envelopes
  -- the caller's own object, returned under metadata.custom
  add column custom jsonb,
  -- { name, role?, address?, email?, identifier? }
  add column secured_party jsonb,
  -- from the sender to the signers
  add column message text,
  add column signing_order text not null default 'sequential' check (signing_order in ('sequential', 'parallel')),
  add column expires_in_days integer not null default 30 check (expires_in_days between 1 and 365),
  add column remind_every_days integer check (remind_every_days between 1 and 30),
  add column submission_id text collate "C",
  add column sent_at timestamptz,
  add column sent_by text collate "C",
  add column expires_at timestamptz,
  add column next_reminder_at timestamptz,
  -- the last signature; what answers call signed_at
  add column completed_at timestamptz,
  add column ended_at timestamptz,
  -- of a void
  add column reason text,
  add column certificate_path text,
  add column vault_file_path text,
  add foreign key (org_id, template_id) references templates;
grant update (envelope_name, status, external_id, template_id, auto_vault_enabled, kba_required, signers, custom, secured_party, message,
  signing_order, expires_in_days, remind_every_days, submission_id, sent_at, sent_by, expires_at, next_reminder_at, completed_at, ended_at,
  reason, updated_at) on envelopes to countersign_app;

-- The three ways in which envelopes are listed, newest first, and the two sweeps.
create index envelopes_of_customer on envelopes (org_id, customer_id, envelope_id desc);
create index envelopes_by_status on envelopes (org_id, status, envelope_id desc);
create index envelopes_to_expire on envelopes (expires_at) where status in ('sent', 'viewed');
create index envelopes_by_age on envelopes using brin (created_at);
create index envelopes_to_remind on envelopes (next_reminder_at) where status in ('sent', 'viewed') and next_reminder_at is not null;

-- A signed upload that is kept byte for byte; what is sent for signature is then a cleaned version of it.
alter table documents add column byte_for_byte boolean not null default false;
-- A document that is replaced by the one with a signature page; a field that is placed again.
grant update (pdf_sha256, pages, byte_for_byte) on documents to countersign_app;
grant delete on envelope_fields to countersign_app;
-- What the sender filled in.
alter table envelope_fields add column prefilled text;
grant update (role, prefilled) on envelope_fields to countersign_app;

-- Every 1,000 envelopes of a list that are old enough to have all come, so that its length and any page of it cost a few rows. `subset` is
-- empty for all of an org, else a customer. Envelopes are never deleted.
create table envelope_buckets (
  org_id text collate "C" not null references orgs,
  subset text collate "C" not null,
  bucket_no integer not null,
  last_id text collate "C" not null,
  primary key (org_id, subset, bucket_no)
);

-- What a signing provider was asked for: one for each time that an envelope is sent.
create table submissions (
  org_id text collate "C" not null,
  submission_id text collate "C" not null,
  envelope_id text collate "C" not null,
  provider text not null,
  signing_order text not null check (signing_order in ('sequential', 'parallel')),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (org_id, submission_id),
  foreign key (org_id, envelope_id) references envelopes
);
create unique index submissions_of_envelope on submissions (org_id, envelope_id);

create table signers (
  org_id text collate "C" not null,
  submission_id text collate "C" not null,
  -- from 1, in signing order
  turn integer not null,
  envelope_id text collate "C" not null,
  -- 128 random bits: whoever has it can open the document as this signer. A corrected signer gets a new one.
  slug text collate "C" not null unique,
  email text not null,
  name text not null,
  role text not null,
  status text not null default 'pending' check (status in ('pending', 'viewed', 'signed', 'declined', 'locked', 'cancelled')),
  invited_at timestamptz,
  reminded_at timestamptz,
  viewed_at timestamptz,
  signed_at timestamptz,
  declined_at timestamptz,
  decline_reason text,
  primary key (org_id, submission_id, turn),
  foreign key (org_id, submission_id) references submissions
);
create unique index signers_by_email on signers (org_id, submission_id, email_key(email));
create index signers_of_envelope on signers (org_id, envelope_id);

-- The vault-in terms, accepted by whom and in which words.
create table certification_acceptances (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  terms_version text not null,
  terms_sha256 text collate "C" not null,
  -- { name, email } of the person named, else the credential's own
  accepted_by jsonb not null,
  actor jsonb not null,
  accepted_at timestamptz not null default now(),
  primary key (org_id, envelope_id, terms_version),
  foreign key (org_id, envelope_id) references envelopes
);

alter table envelope_buckets enable row level security;
alter table submissions enable row level security;
alter table signers enable row level security;
alter table certification_acceptances enable row level security;
create policy own_org on envelope_buckets using (org_id = app_org());
create policy own_org on submissions using (org_id = app_org());
create policy own_org on signers using (org_id = app_org());
create policy own_org on certification_acceptances using (org_id = app_org());
grant select, insert on envelope_buckets, submissions, signers, certification_acceptances to countersign_app;
grant update (ended_at) on submissions to countersign_app;
grant update (slug, email, name, status, invited_at, reminded_at, viewed_at, signed_at, declined_at, decline_reason) on signers to countersign_app;

-- A link in a mail names no org.
create function find_signer(p_slug text) returns table (org_id text, envelope_id text, email text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id, s.envelope_id, s.email from signers s where s.slug = p_slug
$$;

-- Envelopes of all orgs whose time has come, for the sweep; it then works per org.
create function find_due_envelopes(p_limit integer) returns table (org_id text, envelope_id text, due text)
language sql stable security definer set search_path = public, pg_temp as $$
  (select e.org_id, e.envelope_id, 'expire' from envelopes e where e.status in ('sent', 'viewed') and e.expires_at <= now() order by e.expires_at limit p_limit)
  union all
  (select e.org_id, e.envelope_id, 'remind' from envelopes e
   where e.status in ('sent', 'viewed') and e.next_reminder_at <= now() and e.expires_at > now() order by e.next_reminder_at limit p_limit)
$$;

-- Numbers what has come of age: in every list that got an envelope within `p_since`. An envelope younger than `p_age` may still be followed
-- by one with a lower id, whose transaction takes longer.
create function fill_envelope_buckets(p_size integer, p_age interval, p_since interval) returns integer
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
    select distinct e.org_id, s.subset from envelopes e, lateral (values (''), (e.customer_id)) s (subset)
    where e.created_at > now() - p_since and s.subset is not null
  loop
    loop
      select b.last_id into last from envelope_buckets b
        where b.org_id = list.org_id and b.subset = list.subset order by b.bucket_no desc limit 1;
      select e.envelope_id into next from envelopes e
        where e.org_id = list.org_id and e.envelope_id > coalesce(last, '') and (list.subset = '' or e.customer_id = list.subset)
        order by e.envelope_id offset p_size - 1 limit 1;
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

revoke all on function find_signer, find_due_envelopes, fill_envelope_buckets from public;
grant execute on function find_signer, find_due_envelopes, fill_envelope_buckets to countersign_app;
