-- What identifies a document, so that the same one is recognized when it comes again: as it was, with something appended, as a copy of
-- ours, with the same words, or under the same number. Copies that left or ended count too, so nothing here is changed or deleted.
create table document_fingerprints (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('file', 'revision', 'ours', 'text', 'instrument', 'pdf_id')),
  value text collate "C" not null,
  primary key (org_id, envelope_id, kind, value),
  foreign key (org_id, envelope_id) references envelopes
);
create index fingerprints_by_value on document_fingerprints (org_id, value, kind);
alter table document_fingerprints enable row level security;
create policy own_org on document_fingerprints using (org_id = app_org());
grant select, insert on document_fingerprints to countersign_app;

-- Someone other than the depositor compared two records that are alike. It counts for the first of them.
create table duplicate_reviews (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  other_envelope_id text collate "C" not null,
  statement text not null,
  -- the person behind the credential
  reviewed_by text collate "C" not null references users,
  at timestamptz not null,
  -- of its entry in the chain of the envelope
  entry_seq integer not null,
  primary key (org_id, envelope_id, other_envelope_id),
  foreign key (org_id, envelope_id) references envelopes,
  foreign key (org_id, other_envelope_id) references envelopes,
  check (envelope_id <> other_envelope_id)
);
alter table duplicate_reviews enable row level security;
create policy own_org on duplicate_reviews using (org_id = app_org());
grant select, insert on duplicate_reviews to countersign_app;

-- Of the file as it came, which is not kept if it had to be cleaned. Null: received by an earlier release, or copied from a template.
alter table documents add column received_marks jsonb;

alter table envelopes add column record_type text not null default 'other'
  constraint record_type_known check (record_type in ('chattel_paper', 'transferable_record', 'other'));
-- { type, number, date } as declared
alter table envelopes add column instrument jsonb;
grant update (record_type, instrument) on envelopes to countersign_app;

-- Copies of all orgs that have no fingerprints yet; each has at least the hash of its file.
create function find_copies_to_fingerprint(p_limit integer) returns table (org_id text, envelope_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id, c.envelope_id from authoritative_copies c
  where not exists (
    select from document_fingerprints f
    where f.org_id = c.org_id and f.envelope_id = c.envelope_id and f.kind = 'file' and f.value = c.sha256)
  order by c.org_id, c.envelope_id limit p_limit
$$;
revoke all on function find_copies_to_fingerprint from public;
grant execute on function find_copies_to_fingerprint to countersign_app;

insert into outbox (task, payload, job_key)
select 'vault.fingerprint', '{}', 'vault.fingerprint' where exists (select from authoritative_copies);
