-- When a signer asked to sign on paper. The envelope stays open, and the signer can still sign electronically.
alter table signers add column paper_requested_at timestamptz;
grant update (paper_requested_at) on signers to countersign_app;
