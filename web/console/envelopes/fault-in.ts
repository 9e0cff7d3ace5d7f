import { en as words } from "../words/questions/en.ts";
import type { Question } from "./question.ts";

/** The error of a field, or null. */
export function faultIn(question: Question, field: keyof Question): string | null {
  if (question[field].trim() === "") return words.empty;
  return field === "again" && question.again !== question.answer ? words.different : null;
}

export const isComplete = (questions: readonly Question[]): boolean =>
  questions.every((one) => (["text", "answer", "again"] as const).every((field) => faultIn(one, field) === null));
