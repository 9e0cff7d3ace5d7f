-- phase: expand
-- mode: transaction
-- For people, a sandbox is its organization: whoever ends sessions there ends those of its sandboxes, all but one. Returns the person of each.
create function end_sandbox_sessions(p_org_id text, p_user_id text, p_but text) returns setof text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_org_id is distinct from app_org() then
    raise exception 'only the organization itself ends sessions in its sandboxes';
  end if;
  return query
    update sessions s set ended_at = now() from orgs o
    where o.sandbox_of = p_org_id and s.org_id = o.org_id and s.user_id = coalesce(p_user_id, s.user_id)
      and s.session_id is distinct from p_but and s.ended_at is null and s.expires_at > now()
    returning s.user_id;
end $$;
revoke all on function end_sandbox_sessions from public;
grant execute on function end_sandbox_sessions to countersign_app;
