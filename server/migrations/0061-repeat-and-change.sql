-- Templates that can be changed, with the people and choices that envelopes from them start with.
alter table templates
  -- the kind, step and perhaps the person of each place; a role of the fields that is not named here is a signer's
  add column roles jsonb not null default '[]',
  -- choices of the sender that envelopes from the template start with
  add column defaults jsonb not null default '{}',
  -- counts every change of the name, the fields, the roles and the defaults
  add column revision integer not null default 1,
  add column updated_by text;
grant update (name, roles, defaults, revision, updated_by) on templates to countersign_app;

-- When automatic reminders begin and end. Null: after `remind_every_days`, and not before the envelope ends.
alter table envelopes
  add column remind_first_after_days integer check (remind_first_after_days between 1 and 90),
  add column remind_last_days_before integer check (remind_last_days_before between 1 and 30);
grant update (remind_first_after_days, remind_last_days_before) on envelopes to countersign_app;

-- The signature pages that sending added at the end, so that a copy of the envelope begins without them.
alter table documents add column added_pages integer not null default 0;
update documents d set added_pages = (a.data ->> 'signature_pages')::int
from audit_entries e join audit_entry_data a using (org_id, subject, seq)
where e.org_id = d.org_id and e.subject = d.envelope_id and e.type = 'envelope.sent' and (a.data ->> 'signature_pages')::int > 0;
grant update (added_pages) on documents to countersign_app;
