-- The activity of an organization by person, act and date. Only the chains of organizations are indexed: those of envelopes are read as a
-- whole. Times never go backwards within a chain, so these indexes have the entries of each value in the order of the chain.
alter table audit_entries
  -- who acted; null in the chains of envelopes, which the indexes leave out. A column, because row-level security keeps an index over an
  -- expression from being used
  add column actor_id text collate "C";
update audit_entries e set actor_id = e.actor ->> 'id' from orgs o where e.org_id = o.org_id and e.subject = o.org_id;
create index activity_by_time on audit_entries (org_id, at, seq) where actor_id is not null;
create index activity_by_type on audit_entries (org_id, type, at, seq) where actor_id is not null;
create index activity_by_actor on audit_entries (org_id, actor_id, at, seq) where actor_id is not null;
create index activity_by_actor_and_type on audit_entries (org_id, actor_id, type, at, seq) where actor_id is not null;

-- Customers that are the same person. The row of the one that was merged stays, so that its id, client_id and e-mail address keep
-- answering; `merged_into` is always a customer that was not merged itself.
alter table customers
  add column merged_into text collate "C",
  add column merged_at timestamptz,
  add foreign key (org_id, merged_into) references customers,
  add check (merged_into <> customer_id),
  add check ((merged_into is null) = (merged_at is null));
create index customers_merged on customers (org_id, merged_into) where merged_into is not null;
grant select (merged_into, merged_at), update (merged_into, merged_at), delete on customers to countersign_app;

-- Its envelopes move. What was recorded about them stays: evaluations of a vaulted record name the customer that it had when it was created.
alter table envelopes add column original_customer_id text collate "C";
grant update (customer_id, original_customer_id) on envelopes to countersign_app;
