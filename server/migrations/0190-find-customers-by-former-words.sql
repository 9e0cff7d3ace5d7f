-- phase: expand
-- mode: transaction
-- Customers are found by the words of those that were merged into them, in place of a look at every customer. Those of earlier merges are filled
-- in by a job; until then the customers of these organizations are looked at one by one.
insert into backfills (name, org_id) select distinct 'former-customer-words', org_id from customers where merged_into is not null;
insert into outbox (task, payload, job_key) select 'db.backfill', '{}', 'db.backfill' where exists (
  select from backfills where name = 'former-customer-words');
