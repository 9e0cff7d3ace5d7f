-- What a field has beyond its type: settings such as a format or limits (fields/src/types/), and the key by which rules, bulk files and
-- programs name it. Rules and formulas are columns already, because the hash of the sent fields covers them.

alter table template_fields
  add column field_key text collate "C",
  add column document_no integer not null default 1,
  add column settings jsonb not null default '{}',
  add column show_if jsonb,
  add column require_if jsonb,
  add column formula jsonb,
  add constraint template_fields_type_form check (type ~ '^[a-z_]{1,30}$');
create unique index template_fields_by_key on template_fields (org_id, template_id, field_key) where field_key is not null;

alter table envelope_fields
  add column field_key text collate "C",
  add column document_no integer not null default 1,
  add column settings jsonb not null default '{}',
  add column show_if jsonb,
  add column require_if jsonb,
  add column formula jsonb,
  add constraint envelope_fields_type_form check (type ~ '^[a-z_]{1,30}$');
create unique index envelope_fields_by_key on envelope_fields (org_id, envelope_id, field_key) where field_key is not null;

-- Signers are one kind of recipient. The same step means at the same time; a lower step comes first.
alter table signers
  add column recipient_id text collate "C",
  add column kind text not null default 'signer',
  add column step integer,
  add column delivery text not null default 'email';
update signers s set step = case sub.signing_order when 'sequential' then s.turn else 1 end
  from submissions sub where sub.org_id = s.org_id and sub.submission_id = s.submission_id;
create unique index signers_by_recipient on signers (org_id, recipient_id) where recipient_id is not null;
