import { type Detail, Problem } from "../../shared/problems.ts";
import { answerMatches, type Hashing, hashAnswer, normalized } from "./answers.ts";
import { type HashedQuestion, latestSet } from "./kba-store.ts";
import type { KbaProvider } from "./provider.ts";

/** Questions that the sender asks of a signer, with answers that the two of them know. */

export interface Question {
  readonly text: string;
  readonly answer: string;
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
    if (again) return [{ ...place, field: `${place.field}.text`, code: "duplicate", message: "must not repeat another question" }];
    if (normalized(answer) === "") return [{ ...place, field: `${place.field}.answer`, code: "required", message: "must not be blank" }];
    return [];
  });
  if (details.length > 0) throw new Problem("invalid_request", "kba questions", { details });
  const hashed: HashedQuestion[] = [];
  // One after the other: a call with many questions takes one place among those that wait.
  for (const { text, answer } of questions) hashed.push({ question: text, answer_hash: await hashAnswer(hashing, answer) });
  return hashed;
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
