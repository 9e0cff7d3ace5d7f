-- phase: expand
-- mode: transaction
alter table orgs validate constraint orgs_only_sandboxes_reset;
