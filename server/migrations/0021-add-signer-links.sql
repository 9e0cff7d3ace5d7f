-- The link in a mail has a secret of its own. The slug names a signer and opens nothing: API keys can read it.
create table signer_links (
  org_id text collate "C" not null,
  -- SHA-256 of the secret, which stands in the message or was shown once, and nowhere else
  secret_sha256 text collate "C" not null check (secret_sha256 ~ '^[0-9a-f]{64}$'),
  slug text collate "C" not null,
  kind text not null check (kind in ('mailed', 'handed_over')),
  -- the message that carries it
  message_id text collate "C",
  -- the key or person that it was shown to
  issued_by text collate "C",
  created_at timestamptz not null default now(),
  -- null: as long as its signer has it
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, secret_sha256),
  foreign key (org_id, slug) references signers (org_id, slug) on update cascade,
  check ((kind = 'mailed') = (message_id is not null)),
  check ((kind = 'handed_over') = (issued_by is not null))
);
create index signer_links_of_signer on signer_links (org_id, slug);
alter table signer_links enable row level security;
create policy own_org on signer_links using (org_id = app_org());
grant select, insert on signer_links to countersign_app;
grant update (revoked_at) on signer_links to countersign_app;

-- How a session was opened. A link that was sent before this migration could also be read by API keys: it is `shared`.
alter table signing_sessions
  add column link_kind text check (link_kind in ('mailed', 'handed_over', 'shared'));
update signing_sessions set link_kind = 'shared' where credential = 'email_link';
alter table signing_sessions add constraint signing_sessions_link_kind check ((credential = 'email_link') = (link_kind is not null));

-- Links without a secret that lie in mailboxes work for a while; those of ended envelopes stop now.
alter table signers add column bare_link_until timestamptz;
grant update (bare_link_until) on signers to countersign_app;
update signers s set bare_link_until = least(e.expires_at, now() + interval '30 days')
from envelopes e where e.org_id = s.org_id and e.envelope_id = s.envelope_id and e.status in ('sent', 'viewed');

alter table org_settings add column require_mailed_link boolean not null default false;
