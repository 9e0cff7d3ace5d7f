-- What a sender requires of a person before they see the document, besides identity questions. Another set takes the place of the one
-- before, which stays.
create table identity_requirements (
  org_id text collate "C" not null,
  slug text collate "C" not null,
  set_no integer not null,
  -- from 1, in the order in which they are asked
  position integer not null,
  method text not null,
  -- argon2id of an access code, as it is compared
  code_hash text,
  set_at timestamptz not null default now(),
  replaced_at timestamptz,
  primary key (org_id, slug, set_no, position),
  foreign key (org_id, slug) references signers (org_id, slug) on update cascade,
  check ((code_hash is not null) = (method = 'access_code'))
);
alter table identity_requirements enable row level security;
create policy own_org on identity_requirements using (org_id = app_org());
grant select, insert on identity_requirements to countersign_app;
grant update (replaced_at) on identity_requirements to countersign_app;

-- A code can be sent again and entered again. Identity questions are answered once.
alter table identity_challenges
  add column method text not null default 'kba',
  -- argon2id of the code that was sent last; null if none is sent
  add column code_hash text,
  add column message_id text collate "C",
  add column sends integer not null default 0,
  add column sent_at timestamptz;
grant update (code_hash, message_id, sends, sent_at) on identity_challenges to countersign_app;
alter table identity_results
  add column method text not null default 'kba',
  add column try_no integer not null default 1,
  drop constraint identity_results_pkey,
  add primary key (org_id, challenge_id, try_no);
