import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { OrgId } from "../../shared/ids.ts";
import { type Detail, Problem } from "../../shared/problems.ts";
import type { Slug } from "../../shared/slugs.ts";
import { answerMatches, type Hashing, hashAnswer, normalized } from "./answers.ts";
import type { KbaProvider } from "./provider.ts";

/** Questions that the sender asks of a signer, with answers that the two of them know. */

export interface Question {
  readonly text: string;
  readonly answer: string;
}

/** As they are kept: nobody can read the answer back. */
export interface HashedQuestion {
  readonly question: string;
  readonly answer_hash: string;
}

export const MIN_QUESTIONS = 2;
export const MAX_QUESTIONS = 5;

/** Before any transaction: hashing takes its time on purpose. Throws 422 for a question that is asked twice and an answer of blanks. */
export async function hashQuestions(hashing: Hashing, questions: readonly Question[], field: string): Promise<HashedQuestion[]> {
  const seen = new Set<string>();
  const details = questions.flatMap(({ text, answer }, index): Detail[] => {
    const place = { location: "body", field: `${field}[${index}]` } as const;
    const again = seen.has(normalized(text));
    seen.add(normalized(text));
    if (again) return [{ ...place, field: `${place.field}.text`, code: "duplicate", message: "must not be asked twice" }];
    if (normalized(answer) === "") return [{ ...place, field: `${place.field}.answer`, code: "required", message: "must not be blank" }];
    return [];
  });
  if (details.length > 0) throw new Problem("invalid_request", "kba questions", { details });
  const hashed: HashedQuestion[] = [];
  // One after the other: a call with many questions takes one place among those that wait.
  for (const { text, answer } of questions) hashed.push({ question: text, answer_hash: await hashAnswer(hashing, answer) });
  return hashed;
}

/** They take the place of those before. Returns the number of the set. */
export async function insertQuestions(tx: Tx, org: OrgId, slug: Slug, questions: readonly HashedQuestion[]): Promise<number> {
  const rows = questions.map(({ question, answer_hash }, index) => ({ question_no: index + 1, question, answer_hash }));
  const { rows: set } = await tx.query<{ set_no: number }>(sql`
    insert into kba_questions (org_id, slug, set_no, question_no, question, answer_hash)
    select ${org}, ${slug}, (select coalesce(max(set_no), 0) + 1 from kba_questions where org_id = ${org} and slug = ${slug}),
      q.question_no, q.question, q.answer_hash
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as q (question_no int, question text, answer_hash text)
    returning set_no`);
  return set[0]?.set_no ?? 0;
}

export const partnerQuestions: KbaProvider = {
  name: "partner_questions",
  async materialFor(read, org, slug) {
    const rows = await latestSet(read, org, slug);
    const [first] = rows;
    if (first === undefined) return null;
    return {
      set_no: first.set_no,
      questions: rows.map(({ question_no, question }) => ({ question_no, question })),
      check: async (hashing, answers) => {
        const right: boolean[] = [];
        for (const row of rows) right.push(await answerMatches(hashing, row.answer_hash, answers.get(row.question_no) ?? ""));
        return right;
      },
    };
  },
};

interface Row extends HashedQuestion {
  readonly set_no: number;
  readonly question_no: number;
}

async function latestSet(read: Read, org: OrgId, slug: Slug): Promise<Row[]> {
  const { rows } = await read.query<Row>(sql`
    select set_no, question_no, question, answer_hash from kba_questions
    where org_id = ${org} and slug = ${slug}
      and set_no = (select max(set_no) from kba_questions where org_id = ${org} and slug = ${slug})
    order by question_no`);
  return rows;
}

export async function hasQuestions(read: Read, org: OrgId, slug: Slug): Promise<boolean> {
  const { rowCount } = await read.query(sql`select from kba_questions where org_id = ${org} and slug = ${slug} limit 1`);
  return rowCount > 0;
}
