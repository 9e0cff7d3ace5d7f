-- The signing ceremony: sittings, consent, identity questions, drafts, signatures, and what was handed out.
alter table signers
  add constraint signers_by_slug unique (org_id, slug),
  -- the identity questions' attempts are counted anew after a reset
  add column kba_round integer not null default 1;
grant update (kba_round) on signers to countersign_app;

-- Who comes before has signed: held here too, whatever the code above does.
create function refuse_signing_out_of_turn() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (
    select from submissions b join signers s using (org_id, submission_id)
    where b.org_id = new.org_id and b.submission_id = new.submission_id and b.signing_order = 'sequential'
      and s.turn < new.turn and s.status <> 'signed')
  then raise exception 'signer % of % signs out of turn', new.turn, new.submission_id; end if;
  return new;
end $$;
create trigger in_turn before update of status on signers for each row
  when (new.status = 'signed' and old.status <> 'signed') execute function refuse_signing_out_of_turn();

-- Addresses that a signer had before they were corrected: a token that was made for one of them is dead.
create table signer_corrections (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  email text not null,
  corrected_at timestamptz not null default clock_timestamp(),
  primary key (org_id, envelope_id, email, corrected_at),
  foreign key (org_id, envelope_id) references envelopes
);

-- One sitting at the page. The nonce opens nothing: it ties together what was done in it.
create table signing_sessions (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  slug text collate "C" not null,
  session text collate "C" not null,
  credential text not null check (credential in ('email_link', 'embed_token')),
  ip text not null,
  user_agent text not null,
  opened_at timestamptz not null default now(),
  primary key (org_id, slug, session),
  foreign key (org_id, envelope_id) references envelopes
);

-- Page 1 of a version was served in a sitting: what a consent refers to.
create table page_renderings (
  org_id text collate "C" not null,
  slug text collate "C" not null,
  session text collate "C" not null,
  prepared_sha256 text collate "C" not null,
  served_at timestamptz not null default now(),
  primary key (org_id, slug, session, prepared_sha256),
  foreign key (org_id, slug, session) references signing_sessions
);

create table consents (
  org_id text collate "C" not null,
  slug text collate "C" not null,
  consent_no integer not null,
  envelope_id text collate "C" not null,
  session text collate "C" not null,
  disclosure_version text not null,
  disclosure_locale text not null,
  disclosure_sha256 text collate "C" not null,
  rendered_at timestamptz not null,
  accepted_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  primary key (org_id, slug, consent_no),
  foreign key (org_id, slug) references signers (org_id, slug) on update cascade,
  check (rendered_at <= accepted_at)
);
create unique index consents_in_force on consents (org_id, slug) where withdrawn_at is null;

-- Questions that the sender set for a signer. Another set takes the place of the one before, which stays.
create table kba_questions (
  org_id text collate "C" not null,
  slug text collate "C" not null,
  set_no integer not null,
  question_no integer not null,
  question text not null,
  -- argon2id of the answer as it is compared
  answer_hash text not null,
  set_at timestamptz not null default now(),
  primary key (org_id, slug, set_no, question_no),
  foreign key (org_id, slug) references signers (org_id, slug) on update cascade
);

create table kba_challenges (
  org_id text collate "C" not null,
  challenge_id text collate "C" not null,
  slug text collate "C" not null,
  session text collate "C" not null,
  round integer not null,
  set_no integer not null,
  issued_at timestamptz not null default now(),
  primary key (org_id, challenge_id),
  foreign key (org_id, slug) references signers (org_id, slug) on update cascade
);
create index kba_challenges_of_session on kba_challenges (org_id, slug, session, issued_at);

-- One answer to a challenge at most. Never what was answered: which questions were right.
create table kba_results (
  org_id text collate "C" not null,
  challenge_id text collate "C" not null,
  slug text collate "C" not null,
  session text collate "C" not null,
  round integer not null,
  passed boolean not null,
  -- [{ question, right }]
  outcomes jsonb not null,
  at timestamptz not null default now(),
  primary key (org_id, challenge_id),
  foreign key (org_id, challenge_id) references kba_challenges
);
create index kba_results_of_signer on kba_results (org_id, slug, at);

-- A signature or initials as a signer made them, by their hash. Drawn and typed ones as JSON, an uploaded one as PNG.
create table adopted_marks (
  org_id text collate "C" not null,
  slug text collate "C" not null,
  sha256 text collate "C" not null,
  method text not null check (method in ('drawn', 'typed', 'uploaded')),
  content bytea not null,
  adopted_at timestamptz not null default now(),
  primary key (org_id, slug, sha256),
  foreign key (org_id, slug) references signers (org_id, slug) on update cascade
);

-- What a signer has entered and not signed. It proves nothing.
create table signing_drafts (
  org_id text collate "C" not null,
  slug text collate "C" not null,
  revision integer not null,
  -- by field id; of a signature field, when it was applied
  "values" jsonb not null,
  signature_sha256 text collate "C",
  initials_sha256 text collate "C",
  updated_at timestamptz not null default now(),
  primary key (org_id, slug),
  foreign key (org_id, slug) references signers (org_id, slug) on update cascade,
  foreign key (org_id, slug, signature_sha256) references adopted_marks on update cascade,
  foreign key (org_id, slug, initials_sha256) references adopted_marks on update cascade
);

create table signed_values (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  position integer not null,
  slug text collate "C" not null,
  value text not null,
  primary key (org_id, envelope_id, position),
  foreign key (org_id, envelope_id, position) references envelope_fields,
  foreign key (org_id, slug) references signers (org_id, slug)
);

create table signatures (
  org_id text collate "C" not null,
  envelope_id text collate "C" not null,
  position integer not null,
  slug text collate "C" not null,
  mark_sha256 text collate "C" not null,
  session text collate "C" not null,
  consent_no integer not null,
  intent_version text not null,
  intent_locale text not null,
  intent_sha256 text collate "C" not null,
  prepared_sha256 text collate "C" not null,
  -- what the signer saw: the version, and what was entered by others before
  state_sha256 text collate "C" not null,
  -- what the signer entered
  values_sha256 text collate "C" not null,
  ip text not null,
  user_agent text not null,
  timezone text,
  applied_at timestamptz not null,
  signed_at timestamptz not null,
  primary key (org_id, envelope_id, position),
  foreign key (org_id, envelope_id, position) references envelope_fields,
  foreign key (org_id, slug, mark_sha256) references adopted_marks,
  foreign key (org_id, slug, session) references signing_sessions,
  foreign key (org_id, slug, consent_no) references consents
);

-- Every document that was handed out once somebody could have signed: marked as a copy, or sealed.
create table copy_issues (
  org_id text collate "C" not null,
  copy_id text collate "C" not null,
  envelope_id text collate "C" not null,
  kind text not null check (kind in ('partial', 'signed', 'copy')),
  sha256 text collate "C" not null,
  pages integer not null,
  marked_pages integer not null,
  actor jsonb not null,
  issued_at timestamptz not null default now(),
  primary key (org_id, copy_id),
  foreign key (org_id, envelope_id) references envelopes
);
create index copy_issues_of_envelope on copy_issues (org_id, envelope_id, issued_at);

alter table signer_corrections enable row level security;
alter table signing_sessions enable row level security;
alter table page_renderings enable row level security;
alter table consents enable row level security;
alter table kba_questions enable row level security;
alter table kba_challenges enable row level security;
alter table kba_results enable row level security;
alter table adopted_marks enable row level security;
alter table signing_drafts enable row level security;
alter table signed_values enable row level security;
alter table signatures enable row level security;
alter table copy_issues enable row level security;
create policy own_org on signer_corrections using (org_id = app_org());
create policy own_org on signing_sessions using (org_id = app_org());
create policy own_org on page_renderings using (org_id = app_org());
create policy own_org on consents using (org_id = app_org());
create policy own_org on kba_questions using (org_id = app_org());
create policy own_org on kba_challenges using (org_id = app_org());
create policy own_org on kba_results using (org_id = app_org());
create policy own_org on adopted_marks using (org_id = app_org());
create policy own_org on signing_drafts using (org_id = app_org());
create policy own_org on signed_values using (org_id = app_org());
create policy own_org on signatures using (org_id = app_org());
create policy own_org on copy_issues using (org_id = app_org());
-- Evidence is written once.
grant select, insert on signer_corrections, signing_sessions, page_renderings, consents, kba_questions, kba_challenges, kba_results, adopted_marks,
  signing_drafts, signed_values, signatures, copy_issues to countersign_app;
grant update (withdrawn_at) on consents to countersign_app;
grant update (revision, "values", signature_sha256, initials_sha256, updated_at) on signing_drafts to countersign_app;
