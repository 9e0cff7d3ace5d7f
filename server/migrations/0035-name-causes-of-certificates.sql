-- A record is evaluated again after an export, damage, the revocation of its seal or the departure of its custodian. The certificate names
-- the audit entry of that cause, so that a repeated job makes no second one. Null: a request, a command or the first evaluation.
alter table certificates add column cause text collate "C" check (cause ~ '^[0-9a-f]{64}$');
create unique index certificate_of_cause on certificates (org_id, envelope_id, cause) where cause is not null;
