-- phase: expand
-- mode: transaction
-- Every call of a signing or vault page begins here: enters the organization of its token, counts the call, and finds the recipient of the
-- token's address (a row of nulls after the quota if there is none). With the caller's rights, so that row-level security decides what is
-- found; the organization is set by a statement before the one that reads. p_local: only until the end of the transaction.
create function enter_widget(p_org text, p_local boolean, p_subject text, p_quota integer, p_span interval, p_envelope_id text, p_email text)
returns table (accepted boolean, remaining integer, reset_at bigint, kind text, slug text)
language plpgsql as $$
begin
  perform set_config('app.org', p_org, p_local);
  return query
    select q.accepted, q.remaining, q.reset_at, s.kind, s.slug from take_quota(p_subject, p_quota, p_span) q
      left join signers s on s.org_id = p_org and s.envelope_id = p_envelope_id and email_key(s.email) = email_key(p_email) and s.removed_at is null;
end $$;
revoke all on function enter_widget from public;
grant execute on function enter_widget to countersign_app;
