-- phase: expand
-- mode: transaction
-- works-with: 0113
-- The number of the earliest program that runs on the schema that a migration leaves. A program that does not know all migrations of its
-- database reads whether it may serve on it. Programs from before this migration do not ask, and refuse every newer database.
alter table schema_migrations add column works_with integer;
