import { type Detail, Problem } from "../../../shared/problems.ts";
import { sha256 } from "../../../shared/secrets.ts";
import { answerMatches, type Hashing, hashAnswer, normalized } from "./answers.ts";
import { type HashedQuestion, latestSet } from "./kba-store.ts";
import type { KbaProvider } from "./provider.ts";

/** Questions from the sender, with answers that the sender and the signer know. */

export interface Question {
  readonly text: string;
  readonly answer: string;
}

export const MIN_QUESTIONS = 2;
export const MAX_QUESTIONS = 5;

/** Outside any transaction, because hashing is slow on purpose. Throws 422 for a duplicate question and a blank answer. */
export async function hashQuestions(hashing: Hashing, questions: readonly Question[], field: string): Promise<HashedQuestion[]> {
  const seen = new Set<string>();
  const details = questions.flatMap(({ text, answer }, index): Detail[] => {
    const place = { location: "body", field: `${field}[${index}]` } as const;
    const again = seen.has(normalized(text));
    seen.add(normalized(text));
    if (again) return [{ ...place, field: `${place.field}.text`, code: "duplicate", message: "must not repeat another question" }];
    if (normalized(answer) === "") return [{ ...place, field: `${place.field}.answer`, code: "required", message: "must not be blank" }];
    return [];
  });
  if (details.length > 0) throw new Problem("invalid_request", "kba questions", { details });
  const hashed: HashedQuestion[] = [];
  // One after the other, so that a request with many questions uses only one thread.
  for (const { text, answer } of questions) hashed.push({ question: text, answer_hash: await hashAnswer(hashing, answer) });
  return hashed;
}

/** For the audit trail, which is not encrypted: the hashes prove later what was asked. */
export const hashesOf = (questions: readonly HashedQuestion[]): string[] =>
  questions.map(({ question }) => sha256(question).toString("hex"));

export const partnerQuestions: KbaProvider = {
  name: "partner_questions",
  async materialFor(deps, tx, org, slug) {
    const rows = await latestSet(deps, tx, org, slug);
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
