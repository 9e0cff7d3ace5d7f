-- What an organization decides about its messages.
alter table org_settings
  -- of the IANA database; the times in messages to people whose own zone is not known
  add column time_zone text not null default 'UTC',
  -- where replies go if the sender has no address of their own
  add column contact_email text,
  add column completed_mail text not null default 'link' check (completed_mail in ('link', 'attachment'));

-- Words in place of the standard ones. Plain text; null: the standard words.
create table mail_texts (
  org_id text collate "C" not null references orgs,
  kind text not null check (kind in ('invitation', 'reminder', 'completed', 'declined', 'voided', 'expired', 'copy')),
  locale text not null,
  subject text,
  intro text,
  footer text,
  updated_at timestamptz not null default now(),
  primary key (org_id, kind, locale),
  check (coalesce(subject, intro, footer) is not null)
);
alter table mail_texts enable row level security;
create policy own_org on mail_texts using (org_id = app_org());
grant select, insert, update, delete on mail_texts to countersign_app;

-- The subject of the message that asks for a signature.
alter table envelopes add column mail_subject text;
grant update (mail_subject) on envelopes to countersign_app;

-- Also returns the organization, whose logo and sender a message gets when it is sent.
drop function claim_mail(text, interval);
create function claim_mail(p_message_id text, p_lease interval)
returns table (org_id text, to_address text, body_context text, body_enc bytea, attempt integer)
language sql security definer set search_path = public, pg_temp as $$
  update mail_messages m set attempts = m.attempts + 1, next_attempt_at = now() + p_lease
  where m.message_id = p_message_id and m.state = 'queued' and m.body_enc is not null and m.expires_at > now() and m.next_attempt_at <= now()
  returning m.org_id, m.to_address, m.body_context, m.body_enc, m.attempts
$$;
revoke all on function claim_mail from public;
grant execute on function claim_mail to countersign_app;

-- An organization's own sender address. It is used once its DKIM record was found (verified_at); before, the installation's address is.
create table mail_senders (
  org_id text collate "C" primary key references orgs,
  from_name text not null,
  from_address text not null,
  dkim_selector text not null,
  -- the private key in PKCS 8, and the public key as the DNS record has it
  dkim_key_enc bytea not null,
  dkim_public text not null,
  -- the organization's own mail server as JSON; null: that of the installation
  smtp_enc bytea,
  -- what the last check found
  checks jsonb,
  checked_at timestamptz,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table mail_senders enable row level security;
create policy own_org on mail_senders using (org_id = app_org());
grant select, insert, update, delete on mail_senders to countersign_app;
