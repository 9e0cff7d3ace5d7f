import type { IdentityQuestion } from "@countersign/client/types";

/** A question for a signer before they see the document. Answers are typed twice, because they are never shown again. */
export interface Question extends IdentityQuestion {
  readonly again: string;
}

export const MIN_QUESTIONS = 2;
export const MAX_QUESTIONS = 5;
export const blank: Question = { text: "", answer: "", again: "" };

export const blankQuestions = (): readonly Question[] => Array.from({ length: MIN_QUESTIONS }, () => blank);
export const isBlank = (questions: readonly Question[]): boolean =>
  questions.every(({ text, answer, again }) => text === "" && answer === "" && again === "");

/** As the API expects them. */
export const questionsInput = (questions: readonly Question[]): readonly IdentityQuestion[] =>
  questions.map(({ text, answer }) => ({ text: text.trim(), answer }));
