-- The pages of the widgets are served before any token was seen: whose they are follows from the envelope's id alone.
create unique index envelopes_by_id on envelopes (envelope_id);

create function find_embed_origins(p_envelope_id text) returns text[]
language sql stable security definer set search_path = public, pg_temp as $$
  select s.embed_origins from envelopes e join org_settings s using (org_id) where e.envelope_id = p_envelope_id
$$;

revoke all on function find_embed_origins from public;
grant execute on function find_embed_origins to countersign_app;

-- The language that the sender chose for a signer's page; null: the page finds out by itself.
alter table signers add column locale text;
grant update (locale) on signers to countersign_app;

-- Beside the branding, not in it: every call of a signing page reads that, and the picture is for the first alone.
alter table org_settings add column logo bytea;
