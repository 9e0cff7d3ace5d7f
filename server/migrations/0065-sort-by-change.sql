-- Lists by the latest change read the index in its order, also by id, without a look at each envelope.
drop index envelopes_by_change;
create index envelopes_by_change on envelopes (org_id, updated_at, envelope_id)
  include (status, created_at, sent_at, completed_at, ended_at, expires_at);
