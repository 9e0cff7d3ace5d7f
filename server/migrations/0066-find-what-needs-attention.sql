-- Messages that did not arrive, newest first, for the list of what needs attention. A message that was withdrawn is not one of them, and
-- without a mail server no message is attempted.
create index mail_messages_undelivered on mail_messages (org_id, message_id desc)
  where envelope_id is not null and attempts > 0
    and (bounced_at is not null or (state = 'failed' and last_error is distinct from 'withdrawn'));
-- The messages of an envelope in order: whether a later one to the same address followed.
create index mail_messages_of_envelope on mail_messages (org_id, envelope_id, message_id) where envelope_id is not null;
-- Deliveries that were given up and can be replayed.
create index webhook_deliveries_failed on webhook_deliveries (org_id, endpoint_id) where status = 'failed';
