-- What people enter while they sign, and the texts of identity questions, are encrypted under the key of their org. The header of such a value
-- names the number of the key. Rows of before stay readable until a job has encrypted them.

alter table signed_values
  alter column value drop not null,
  add column value_sealed bytea,
  add check (num_nonnulls(value, value_sealed) = 1);
alter table adopted_marks
  alter column content drop not null,
  add column content_sealed bytea,
  add check (num_nonnulls(content, content_sealed) = 1);
-- An empty draft has nothing to encrypt.
alter table signing_drafts
  add column values_sealed bytea,
  add check (values_sealed is null or "values" = '{}');
alter table kba_questions
  alter column question drop not null,
  add column question_sealed bytea,
  add check (num_nonnulls(question, question_sealed) = 1);
grant update (values_sealed) on signing_drafts to countersign_app;

-- The job asks every minute, and usually nothing is left.
create index signed_values_to_encrypt on signed_values (org_id) where value is not null;
create index adopted_marks_to_encrypt on adopted_marks (org_id) where content is not null;
create index signing_drafts_to_encrypt on signing_drafts (org_id) where "values" <> '{}';
create index kba_questions_to_encrypt on kba_questions (org_id) where question is not null;

-- Every value that is not encrypted yet: its row, and the context that it is bound to, which is the same that the code encrypts it with and
-- therefore never changes. A new column whose name ends in _sealed and that had plain values needs a line here and in encrypt_values.
create view plain_values with (security_invoker = true) as
  select 'adopted_marks.content_sealed' as place, m.org_id, jsonb_build_object('slug', m.slug, 'sha256', m.sha256) as id,
    'adopted mark ' || m.org_id || ' ' || m.sha256 as context, m.content as value
    from adopted_marks m where m.content is not null
  union all
  select 'kba_questions.question_sealed', q.org_id, jsonb_build_object('slug', q.slug, 'set_no', q.set_no, 'question_no', q.question_no),
    'identity question ' || q.org_id || ' ' || q.answer_hash, convert_to(q.question, 'UTF8')
    from kba_questions q where q.question is not null
  union all
  select 'signed_values.value_sealed', v.org_id, jsonb_build_object('envelope_id', v.envelope_id, 'position', v.position),
    'signed value ' || v.org_id || ' ' || v.envelope_id || ' ' || v.position, convert_to(v.value, 'UTF8')
    from signed_values v where v.value is not null
  union all
  select 'signing_drafts.values_sealed', d.org_id, jsonb_build_object('slug', d.slug),
    'signing draft ' || d.org_id || ' ' || s.recipient_id, convert_to(d."values"::text, 'UTF8')
    from signing_drafts d join signers s on s.org_id = d.org_id and s.slug = d.slug where d."values" <> '{}';
grant select on plain_values to countersign_app;

-- Which org after this one has any; null after the last one.
create function next_org_to_encrypt(p_after text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select min(org_id collate "C") from (
    (select org_id from adopted_marks where content is not null and org_id > p_after order by org_id limit 1)
    union all
    (select org_id from kba_questions where question is not null and org_id > p_after order by org_id limit 1)
    union all
    (select org_id from signed_values where value is not null and org_id > p_after order by org_id limit 1)
    union all
    (select org_id from signing_drafts where "values" <> '{}' and org_id > p_after order by org_id limit 1)
  ) orgs
$$;

create function count_values_to_encrypt() returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select (select count(*) from adopted_marks where content is not null) + (select count(*) from kba_questions where question is not null)
    + (select count(*) from signed_values where value is not null) + (select count(*) from signing_drafts where "values" <> '{}')
$$;

-- Puts encrypted values of one column of the org of the transaction in the place of the same plain ones. One that has changed meanwhile stays
-- for the next run. The login of the service can insert these rows and not change them.
create function encrypt_values(p_place text, p_values jsonb) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  encrypted bigint;
begin
  case p_place
    when 'adopted_marks.content_sealed' then
      update adopted_marks m set content = null, content_sealed = decode(n.sealed, 'hex')
      from jsonb_to_recordset(p_values) as n (slug text, sha256 text, plain_sha256 text, sealed text)
      where m.org_id = app_org() and m.slug = n.slug and m.sha256 = n.sha256 and sha256(m.content) = decode(n.plain_sha256, 'hex');
    when 'kba_questions.question_sealed' then
      update kba_questions q set question = null, question_sealed = decode(n.sealed, 'hex')
      from jsonb_to_recordset(p_values) as n (slug text, set_no integer, question_no integer, plain_sha256 text, sealed text)
      where q.org_id = app_org() and q.slug = n.slug and q.set_no = n.set_no and q.question_no = n.question_no
        and sha256(convert_to(q.question, 'UTF8')) = decode(n.plain_sha256, 'hex');
    when 'signed_values.value_sealed' then
      update signed_values v set value = null, value_sealed = decode(n.sealed, 'hex')
      from jsonb_to_recordset(p_values) as n (envelope_id text, "position" integer, plain_sha256 text, sealed text)
      where v.org_id = app_org() and v.envelope_id = n.envelope_id and v."position" = n."position"
        and sha256(convert_to(v.value, 'UTF8')) = decode(n.plain_sha256, 'hex');
    when 'signing_drafts.values_sealed' then
      update signing_drafts d set "values" = '{}', values_sealed = decode(n.sealed, 'hex')
      from jsonb_to_recordset(p_values) as n (slug text, plain_sha256 text, sealed text)
      where d.org_id = app_org() and d.slug = n.slug and sha256(convert_to(d."values"::text, 'UTF8')) = decode(n.plain_sha256, 'hex');
  end case;
  get diagnostics encrypted = row_count;
  return encrypted;
end $$;

revoke all on function next_org_to_encrypt, count_values_to_encrypt, encrypt_values from public;
grant execute on function next_org_to_encrypt, count_values_to_encrypt, encrypt_values to countersign_app;
