-- phase: expand
-- mode: transaction
-- What the audit trails will say of a restore. It is written with the restored rows and taken with the entries, so that neither is without
-- the other when the host dies in between. A restore of an earlier backup has made the column already.
alter table installation_mode add column if not exists restored jsonb;

create function take_restored() returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare taken jsonb;
begin
  select restored into taken from installation_mode for update;
  if taken is not null then update installation_mode set restored = null; end if;
  return taken;
end $$;
revoke all on function take_restored() from public;
grant execute on function take_restored() to countersign_app;
