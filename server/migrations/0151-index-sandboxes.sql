-- phase: expand
-- mode: concurrent
create index concurrently orgs_sandbox_of on orgs (sandbox_of) where sandbox_of is not null;
