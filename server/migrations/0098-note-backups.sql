-- phase: expand
-- mode: transaction
-- The moment that the latest backup shows, for the metric of its age. Written with the owner's login, as backups are.
alter table installation_mode add column if not exists backed_up_at timestamptz;
