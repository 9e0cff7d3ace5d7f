-- Approvers, viewers and people who get a copy are rows of `signers` too, until the table gets a name for all of them.
alter table signers
  alter column role drop not null,
  -- to this person only, below the message of the envelope
  add column message text,
  -- signed, approved, confirmed or declined
  add column acted_at timestamptz,
  -- A removed recipient stays as a row with everything that was recorded about the person. So does one whose place another person takes.
  add column removed_at timestamptz;
update signers set acted_at = coalesce(signed_at, declined_at) where signed_at is not null or declined_at is not null;

-- An id for signers from before recipients had ids. Their hashes in the audit trail do not cover it.
update signers set recipient_id = 'rcp_0' || left(md5(org_id || ' ' || submission_id || ' ' || turn), 25) where recipient_id is null;
drop index signers_by_recipient;
create unique index signers_by_recipient on signers (org_id, recipient_id) where removed_at is null;

alter table signers
  alter column recipient_id set not null,
  add constraint signers_kind_check check (kind in ('signer', 'approver', 'viewer', 'cc')),
  add constraint signers_delivery_check check (delivery in ('email', 'link')),
  add constraint signers_step_check check (case when step is null then kind = 'cc' else step >= 1 end),
  add constraint signers_role_check check (case kind when 'signer' then role is not null when 'approver' then true else role is null end),
  drop constraint signers_status_check,
  add constraint signers_status_check check (
    status in ('pending', 'viewed', 'signed', 'approved', 'confirmed', 'delivered', 'declined', 'locked', 'cancelled'));
grant update (turn, step, message, acted_at, removed_at) on signers to countersign_app;

-- A removed address can be added again.
drop index signers_by_email;
create unique index signers_by_email on signers (org_id, submission_id, email_key(email)) where removed_at is null;

alter table submissions
  drop constraint submissions_signing_order_check,
  add constraint submissions_signing_order_check check (signing_order in ('sequential', 'parallel', 'steps'));
alter table envelopes
  drop constraint envelopes_signing_order_check,
  add constraint envelopes_signing_order_check check (signing_order in ('sequential', 'parallel', 'steps'));

-- Everyone who acts in an earlier step has finished, whatever the code above does. People who get a copy delay no one.
create or replace function refuse_signing_out_of_turn() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (
    select from signers s
    where s.org_id = new.org_id and s.submission_id = new.submission_id and s.kind <> 'cc' and s.removed_at is null
      and s.step < new.step and s.status not in ('signed', 'approved', 'confirmed'))
  then raise exception 'recipient % of % acts out of turn', new.turn, new.submission_id; end if;
  return new;
end $$;
drop trigger in_turn on signers;
create trigger in_turn before update of status on signers for each row
  when (new.status in ('signed', 'approved', 'confirmed') and old.status <> new.status) execute function refuse_signing_out_of_turn();

-- The link of a removed recipient is refused in other words than a link that never was one.
create function find_former_recipient(p_slug text) returns table (org_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id from signers s where s.slug = p_slug and s.removed_at is not null
$$;
create or replace function find_signer(p_slug text) returns table (org_id text, envelope_id text, email text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.org_id, s.envelope_id, s.email from signers s where s.slug = p_slug and s.removed_at is null
$$;
revoke all on function find_former_recipient from public;
grant execute on function find_former_recipient to countersign_app;
