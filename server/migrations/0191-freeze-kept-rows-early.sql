-- phase: expand
-- mode: transaction
-- These rows are only inserted, and kept for decades. A vacuum after inserts freezes them at once, while their pages are in memory, and never
-- looks at those pages again. Otherwise every page is written once more years later, all of a table in one vacuum, before transaction ids run
-- out. It comes after every fiftieth of new rows, instead of every fifth, so that it is short.
alter table audit_entries set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table audit_entry_data set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table audit_positions set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table documents set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table document_versions set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table signing_sessions set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table page_renderings set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table signed_values set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table signatures set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table certificates set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table completion_certificates set (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.02);
