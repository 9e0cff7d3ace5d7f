-- phase: expand
-- mode: transaction
alter table orgs validate constraint orgs_sandbox_of;
alter table orgs validate constraint orgs_sandbox_id;
alter table mail_messages validate constraint mail_captured;
