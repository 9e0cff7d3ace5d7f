import { randomBytes } from "node:crypto";
import { type Read, sql, type Tx } from "../../../db/sql.ts";
import type { WidgetCaller } from "../../../shared/caller.ts";
import type { OrgId } from "../../../shared/ids.ts";
import type { Slug } from "../../../shared/slugs.ts";
import { contexts, openEntered, type SealingDeps, storedValue } from "../../sealed-columns.ts";

// Enough to remember an answer or look it up, but not to find it out from other people.
export const CHALLENGE_MINUTES = 10;

export interface Challenge {
  readonly challenge_id: string;
  readonly slug: Slug;
  readonly session: string;
  readonly round: number;
  readonly set_no: number;
  readonly expires_at: Date;
}

export const columns = sql`c.challenge_id, c.slug, c.session, c.round, c.set_no, c.issued_at + make_interval(mins => ${CHALLENGE_MINUTES}) as expires_at`;

export async function lookUpOpen(read: Read, { org, holder }: WidgetCaller, slug: Slug, set_no: number): Promise<Challenge | null> {
  const { rows } = await read.query<Challenge>(sql`
    select ${columns} from identity_challenges c join signers s on s.org_id = c.org_id and s.slug = c.slug and s.kba_round = c.round
    where c.org_id = ${org} and c.slug = ${slug} and c.session = ${holder.signing_session} and c.set_no = ${set_no} and c.method = 'kba'
      and c.issued_at > now() - make_interval(mins => ${CHALLENGE_MINUTES})
      and not exists (select from identity_results r where r.org_id = c.org_id and r.challenge_id = c.challenge_id)
    order by c.issued_at desc limit 1`);
  return rows[0] ?? null;
}

export async function insertChallenge(tx: Tx, { org, holder }: WidgetCaller, slug: Slug, set_no: number): Promise<Challenge> {
  const { rows } = await tx.query<Challenge>(sql`
    insert into identity_challenges as c (org_id, challenge_id, slug, session, round, set_no)
    select ${org}, ${randomBytes(16).toString("hex")}, ${slug}, ${holder.signing_session}, kba_round, ${set_no}
    from signers where org_id = ${org} and slug = ${slug}
    returning ${columns}`);
  return rows[0] as Challenge;
}

/** An open challenge of this signing session; null if there is none. */
export async function lookUpChallenge(
  read: Read,
  org: OrgId,
  slug: Slug,
  session: string,
  challenge_id: string,
): Promise<Challenge | null> {
  const { rows } = await read.query<Challenge>(sql`
    select ${columns} from identity_challenges c join signers s on s.org_id = c.org_id and s.slug = c.slug and s.kba_round = c.round
    where c.org_id = ${org} and c.challenge_id = ${challenge_id} and c.slug = ${slug} and c.session = ${session} and c.method = 'kba'
      and c.issued_at > clock_timestamp() - make_interval(mins => ${CHALLENGE_MINUTES})
      and not exists (select from identity_results r where r.org_id = c.org_id and r.challenge_id = c.challenge_id)`);
  return rows[0] ?? null;
}

export async function insertResult(
  tx: Tx,
  org: OrgId,
  slug: Slug,
  { challenge_id, session, round }: Challenge,
  passed: boolean,
  outcomes: readonly { readonly question: number; readonly right: boolean }[],
): Promise<void> {
  await tx.query(sql`
    insert into identity_results (org_id, challenge_id, slug, session, round, passed, outcomes, at)
    values (${org}, ${challenge_id}, ${slug}, ${session}, ${round}, ${passed}, ${JSON.stringify(outcomes)}, clock_timestamp())`);
}

// Long enough to read a contract after the questions. A device left open over lunch must answer again.
export const PASS_MINUTES = 60;

export interface SignerResults {
  /**
   * the latest result of this signing session is a pass of the current questions since the last reset, with no failure of the signer
   * since
   */
  readonly passed: boolean | null;
  readonly valid_until: Date | null;
  readonly is_valid: boolean | null;
  /** since the last pass or reset, in all signing sessions */
  readonly failures: number;
}

export async function resultsOf(read: Read, org: OrgId, slug: Slug, session: string): Promise<SignerResults> {
  const { rows } = await read.query<SignerResults>(sql`
    select latest.passed, latest.valid_until, latest.valid_until > clock_timestamp() as is_valid, coalesce(f.failures, 0)::int as failures
    from (select count(*) as failures from identity_results r join signers s on s.org_id = r.org_id and s.slug = r.slug
      where r.org_id = ${org} and r.slug = ${slug} and r.method = 'kba' and not r.passed and r.round = s.kba_round
        and r.at > coalesce((select max(p.at) from identity_results p where p.org_id = ${org} and p.slug = ${slug} and p.method = 'kba' and p.passed), '-infinity')) f
    left join lateral (select r.at + make_interval(mins => ${PASS_MINUTES}) as valid_until,
        r.passed and not exists (
          select from identity_results l where l.org_id = r.org_id and l.slug = r.slug and l.method = 'kba' and l.at > r.at and not l.passed) as passed
      from identity_results r join identity_challenges c on c.org_id = r.org_id and c.challenge_id = r.challenge_id
        join signers s on s.org_id = r.org_id and s.slug = r.slug and s.kba_round = r.round
      where r.org_id = ${org} and r.slug = ${slug} and r.method = 'kba' and r.session = ${session}
        and c.set_no = (select max(q.set_no) from kba_questions q where q.org_id = ${org} and q.slug = ${slug})
      order by r.at desc limit 1) latest on true`);
  return rows[0] as SignerResults;
}

/** In their stored form, from which the answer cannot be read. */
export interface HashedQuestion {
  readonly question: string;
  readonly answer_hash: string;
}

/** Replaces the earlier questions. Returns the number of the set. */
export async function insertQuestions(
  deps: SealingDeps,
  tx: Tx,
  org: OrgId,
  slug: Slug,
  questions: readonly HashedQuestion[],
): Promise<number> {
  const rows = questions.map(({ question, answer_hash }, index) => {
    const { plain, sealed } = storedValue(deps, org, question, contexts.question(org, answer_hash));
    return { question_no: index + 1, question: plain, sealed: sealed?.toString("hex") ?? null, answer_hash };
  });
  const { rows: set } = await tx.query<{ set_no: number }>(sql`
    insert into kba_questions (org_id, slug, set_no, question_no, question, question_sealed, answer_hash)
    select ${org}, ${slug}, (select coalesce(max(set_no), 0) + 1 from kba_questions where org_id = ${org} and slug = ${slug}),
      q.question_no, q.question, decode(q.sealed, 'hex'), q.answer_hash
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as q (question_no int, question text, sealed text, answer_hash text)
    returning set_no`);
  return set[0]?.set_no ?? 0;
}

export interface QuestionRow extends HashedQuestion {
  readonly set_no: number;
  readonly question_no: number;
}

type StoredQuestion = Omit<QuestionRow, "question"> & { readonly question: string | null; readonly question_sealed: Buffer | null };

export async function latestSet(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug): Promise<QuestionRow[]> {
  const { rows } = await tx.query<StoredQuestion>(sql`
    select set_no, question_no, question, question_sealed, answer_hash from kba_questions
    where org_id = ${org} and slug = ${slug}
      and set_no = (select max(set_no) from kba_questions where org_id = ${org} and slug = ${slug})
    order by question_no`);
  return rows.map(({ set_no, question_no, question, question_sealed, answer_hash }) => ({
    set_no,
    question_no,
    question:
      question_sealed === null
        ? String(question)
        : openEntered(deps, org, question_sealed, contexts.question(org, answer_hash)).toString("utf8"),
    answer_hash,
  }));
}

export async function hasQuestions(read: Read, org: OrgId, slug: Slug): Promise<boolean> {
  const { rowCount } = await read.query(sql`select from kba_questions where org_id = ${org} and slug = ${slug} limit 1`);
  return rowCount > 0;
}

/** Starts a new round. Earlier results no longer count. */
export async function startRound(tx: Tx, org: OrgId, slug: Slug): Promise<void> {
  await tx.query(sql`update signers set kba_round = kba_round + 1 where org_id = ${org} and slug = ${slug}`);
}
