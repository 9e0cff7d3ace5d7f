-- What the login countersign_queue may do here: move jobs out of the outbox, and beat. The queue's own tables are its library's, and are
-- opened after each of its migrations (jobs/queue-schema.ts). `migrate` makes the role before the first file runs.

grant usage on schema public to countersign_queue;
grant select, delete on outbox to countersign_queue;
-- Taking rows with `for update skip locked` needs the right to change a column; this one is generated and cannot be changed.
grant update (outbox_id) on outbox to countersign_queue;
grant select, insert, update, delete on worker_heartbeats to countersign_queue;
