-- The recipient of an export is a person, who downloads the package at /p/ and acknowledges it there.
alter table vault_exports
  -- null: no party had to confirm it
  add column act_id text collate "C",
  -- the person behind the credential that started it; null: from before, or a key without a creator
  add column principal text collate "C",
  add column principal_email text,
  -- null: started before recipients were people
  add column person_id text collate "C" references people,
  -- when the recipient first downloaded the package at /p/
  add column downloaded_at timestamptz,
  add foreign key (org_id, act_id) references control_acts;
grant update (downloaded_at) on vault_exports to countersign_app;
create index exports_of_recipient on vault_exports (person_id, export_id) where person_id is not null;

-- The key of a package stays with its recipient. Of exports from before, it is erased after a day, as it was promised then.
create or replace function find_due_exports(p_key_life interval, p_limit integer) returns table (org_id text, export_id text, due text)
language sql stable security definer set search_path = public, pg_temp as $$
  (select x.org_id, x.export_id, 'expire' from vault_exports x
   where x.state = 'escrowed' and x.expires_at <= now() order by x.expires_at limit p_limit)
  union all
  (select x.org_id, x.export_id, 'erase_key' from vault_exports x
   where x.state = 'acknowledged' and x.key_enc is not null and x.person_id is null and x.closed_at <= now() - p_key_life
   order by x.closed_at limit p_limit)
$$;

-- The exports of which a person is the recipient, newest first.
create function exports_of_person(p_person_id text, p_limit integer) returns table (org_id text, export_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select x.org_id, x.export_id from vault_exports x where x.person_id = p_person_id order by x.export_id desc limit p_limit
$$;
create function find_export_of_person(p_person_id text, p_export_id text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select x.org_id from vault_exports x where x.person_id = p_person_id and x.export_id = p_export_id
$$;
revoke all on function exports_of_person, find_export_of_person from public;
grant execute on function exports_of_person, find_export_of_person to countersign_app;
