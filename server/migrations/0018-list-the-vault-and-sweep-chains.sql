-- The list of the vault with its scores, and what the sweep of all chains and of the log needs.

-- Of the latest certificate; null between the storing of a copy and its first one, while it is in no list.
alter table authoritative_copies add column score integer check (score between 0 and 100);
-- The how manieth of its org it was that became vaulted, without a gap: the last one is the total of the list, and a page begins where
-- its number says, at any depth.
alter table authoritative_copies add column vault_no integer check (vault_no > 0);
update authoritative_copies c set score = n.score, vault_no = n.vault_no
from (
  select a.org_id, a.copy_id, k.score, row_number() over (partition by a.org_id order by a.stored_at, a.copy_id) as vault_no
  from authoritative_copies a
    join (select distinct on (org_id, envelope_id) * from certificates order by org_id, envelope_id, revision desc) k using (org_id, envelope_id)
) n
where c.org_id = n.org_id and c.copy_id = n.copy_id;
alter table authoritative_copies add check ((score is null) = (vault_no is null));

-- Whoever certifies sets both, and nobody else can. First certificates of one org take turns from here to their commit.
create function keep_score() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.revision = 1 then
    perform pg_advisory_xact_lock(hashtextextended('vault_no ' || new.org_id, 0));
  end if;
  update authoritative_copies c set score = new.score,
    vault_no = coalesce(c.vault_no, 1 + coalesce((select max(o.vault_no) from authoritative_copies o where o.org_id = new.org_id), 0))
  where c.org_id = new.org_id and c.envelope_id = new.envelope_id;
  return null;
end $$;
revoke all on function keep_score from public;
create trigger score_of_copy after insert on certificates for each row execute function keep_score();

create unique index vault_list on authoritative_copies (org_id, vault_no);
create index vault_list_by_state on authoritative_copies (org_id, state, vault_no);
create index vault_list_by_source on authoritative_copies (org_id, source, vault_no);
create index vault_list_passed on authoritative_copies (org_id, vault_no) where score = 100;
create index vault_list_failed on authoritative_copies (org_id, vault_no) where score < 100;

-- The admins were told of what the comparison of the log found.
alter table log_checks add column told_at timestamptz;
update log_checks set told_at = checked_at where fault is not null;
create index log_checks_untold on log_checks (log_check_id) where fault is not null and told_at is null;
grant update (told_at) on log_checks to countersign_app;

-- Every chain of every org whose turn it is: one of so many slices, always the same ones. A head without entries and entries without a
-- head are chains too, of which somebody took a part.
create function find_chains(p_slice integer, p_slices integer, p_after_org text, p_after_subject text, p_limit integer)
returns table (org_id text, subject text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.org_id, c.subject from (
    select h.org_id, h.subject from audit_heads h where (h.org_id, h.subject) > (p_after_org, p_after_subject)
    union
    select e.org_id, e.subject from audit_entries e where e.seq = 1 and (e.org_id, e.subject) > (p_after_org, p_after_subject)
  ) c
  where abs(hashtext(c.subject)::bigint) % p_slices = p_slice order by 1, 2 limit p_limit
$$;
-- Entries that are neither in the log nor on their way into it. In one statement: between two an entry may move from the one to the other.
create function find_unlogged(p_hashes text[]) returns table (hash text)
language sql stable security definer set search_path = public, pg_temp as $$
  select h.hash from unnest(p_hashes) as h (hash)
  where not exists (select from log_leaves l where l.hash = h.hash) and not exists (select from log_queue q where q.hash = h.hash)
$$;
revoke all on function find_chains, find_unlogged from public;
grant execute on function find_chains, find_unlogged to countersign_app;
