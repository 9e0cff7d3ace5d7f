-- Certificates have grades from rules 2 on. Those of rules 1 stay as they are, and are not assessed until they are evaluated again.
alter table certificates add column rules integer not null default 1 check (rules in (1, 2));
alter table certificates add column proven_score integer check (proven_score between 0 and score);
alter table certificates add column standing text collate "C" not null default 'not_assessed'
  check (standing in ('proven', 'attested', 'not_passed', 'left', 'destroyed', 'not_assessed'));
alter table certificates add check ((rules = 1) = (proven_score is null) and (rules = 1) = (standing = 'not_assessed'));
-- A certificate that does not say so is a mistake from now on.
alter table certificates alter column rules drop default, alter column standing drop default;

-- Of the latest certificate, as the score is; null between the storing of a copy and its first certificate.
alter table authoritative_copies add column rules integer, add column proven_score integer, add column standing text collate "C";
update authoritative_copies set rules = 1, standing = 'not_assessed' where score is not null;

create or replace function keep_score() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.revision = 1 then
    perform pg_advisory_xact_lock(hashtextextended('vault_no ' || new.org_id, 0));
  end if;
  update authoritative_copies c set score = new.score, rules = new.rules, proven_score = new.proven_score, standing = new.standing,
    vault_no = coalesce(c.vault_no, 1 + coalesce((select max(o.vault_no) from authoritative_copies o where o.org_id = new.org_id), 0))
  where c.org_id = new.org_id and c.envelope_id = new.envelope_id;
  return null;
end $$;

create index vault_list_by_standing on authoritative_copies (org_id, standing, vault_no);

-- Every root that a time stamp or an uploaded signature was verified with, so that it verifies after the setting has changed. The
-- certificates belong to the installation and are public. Nothing here is ever changed or deleted.
create table authority_certificates (
  sha256 text collate "C" not null,
  der bytea not null,
  purpose text collate "C" not null check (purpose in ('tsa', 'upload')),
  first_used_at timestamptz not null default clock_timestamp(),
  primary key (purpose, sha256),
  check (sha256 = encode(sha256(der), 'hex'))
);
grant select, insert (sha256, der, purpose) on authority_certificates to countersign_app;
