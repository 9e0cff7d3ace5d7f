-- Unknown fields of a body are refused. Keys that are there may come from programs that send some, so they keep ignoring them until an
-- admin switches that off; keys from now on refuse them.

alter table api_keys add column lenient_fields boolean not null default true;
alter table api_keys alter column lenient_fields set default false;

-- As in 0003, and whether the key's unknown fields are ignored.
drop function authenticate_key(bytea);
create function authenticate_key(p_secret_hash bytea)
returns table (org_id text, key_id text, scopes text[], secret_expires_at timestamptz,
               accepted boolean, quota integer, remaining integer, reset_at bigint, lenient_fields boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  k record;
  u record;
  r record;
begin
  perform set_config('synchronous_commit', 'off', true), set_config('app.org', '', false);
  select s.org_id, s.key_id, s.expires_at, a.scopes, a.rate_limit_rpm, a.lenient_fields into k
    from api_key_secrets s join api_keys a on a.org_id = s.org_id and a.key_id = s.key_id
    where s.secret_hash = p_secret_hash and (s.expires_at is null or s.expires_at > clock_timestamp()) and a.deactivated_at is null;
  if not found then
    return;
  end if;
  select g.counts, g.ats into u from api_key_usage g where g.org_id = k.org_id and g.key_id = k.key_id for no key update;
  r := quota_take(u.counts, u.ats, k.rate_limit_rpm, interval '1 minute');
  -- A refused request does not count, and writes nothing.
  if r.accepted then
    update api_key_usage g set counts = r.counts, ats = r.ats, last_used_at = clock_timestamp()
      where g.org_id = k.org_id and g.key_id = k.key_id;
  end if;
  perform set_config('app.org', k.org_id, false);
  return query select k.org_id, k.key_id, k.scopes, k.expires_at, r.accepted, k.rate_limit_rpm, r.remaining, r.reset_at, k.lenient_fields;
end $$;
revoke all on function authenticate_key from public;
grant execute on function authenticate_key to countersign_app;

-- For the filter `external_id` of the list of envelopes.
create index envelopes_by_external_id on envelopes (org_id, external_id, envelope_id desc) where external_id is not null;
