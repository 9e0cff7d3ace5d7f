-- phase: expand
-- mode: transaction
-- Since when a recipient has a name that their signing page has not shown yet; null if it has.
alter table signers add column renamed_at timestamptz;
grant update (renamed_at) on signers to countersign_app;
