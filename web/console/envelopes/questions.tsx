import type { IdentityQuestion } from "@countersign/client/types";
import { TextField } from "../parts/field.tsx";

/** A question for a signer before they see the document. Answers are typed twice, because they are never shown again. */
export interface Question extends IdentityQuestion {
  readonly again: string;
}

const MIN_QUESTIONS = 2;
const MAX_QUESTIONS = 5;
const blank: Question = { text: "", answer: "", again: "" };

export const blankQuestions = (): readonly Question[] => Array.from({ length: MIN_QUESTIONS }, () => blank);
export const isBlank = (questions: readonly Question[]): boolean =>
  questions.every(({ text, answer, again }) => text === "" && answer === "" && again === "");

/** As the API expects them. */
export const questionsInput = (questions: readonly Question[]): readonly IdentityQuestion[] =>
  questions.map(({ text, answer }) => ({ text: text.trim(), answer }));

/** The error of a field, or null. */
export function faultIn(question: Question, field: keyof Question): string | null {
  if (question[field].trim() === "") return "must not be empty";
  return field === "again" && question.again !== question.answer ? "does not match the answer" : null;
}

export const isComplete = (questions: readonly Question[]): boolean =>
  questions.every((one) => (["text", "answer", "again"] as const).every((field) => faultIn(one, field) === null));

interface QuestionsFieldProps {
  /** the signer's name, for screen readers */
  readonly of: string;
  readonly value: readonly Question[];
  readonly onChange: (value: readonly Question[]) => void;
  /** errors are shown after the first attempt to submit */
  readonly isChecked: boolean;
  /** the API's error for a place such as `[0].text` */
  readonly errorOf?: (place: string) => string | null;
}

export function QuestionsField({ of, value, onChange, isChecked, errorOf = () => null }: QuestionsFieldProps) {
  const change = (index: number, change: Partial<Question>) =>
    onChange(value.map((one, at) => (at === index ? { ...one, ...change } : one)));
  return (
    <div class="stack">
      {value.map((question, index) => {
        const error = (field: keyof Question) => (isChecked ? faultIn(question, field) : null) ?? errorOf(`[${index}].${field}`);
        const number = index + 1;
        return (
          <fieldset key={index} class="envelope-question">
            <legend class="hidden-visually">{`Question ${number} for ${of}`}</legend>
            <TextField
              label={`Question ${number}`}
              name={`questions[${index}].text`}
              autoComplete="off"
              maxLength={300}
              placeholder={index === 0 ? "In which town did we first meet?" : ""}
              value={question.text}
              onText={(text) => change(index, { text })}
              error={error("text")}
            />
            <div class="columns">
              <TextField
                label={`Answer ${number}`}
                name={`questions[${index}].answer`}
                type="password"
                autoComplete="off"
                maxLength={200}
                value={question.answer}
                onText={(answer) => change(index, { answer })}
                error={error("answer")}
              />
              <TextField
                label={`Answer ${number} again`}
                name={`questions[${index}].again`}
                type="password"
                autoComplete="off"
                maxLength={200}
                value={question.again}
                onText={(again) => change(index, { again })}
                error={error("again")}
              />
            </div>
          </fieldset>
        );
      })}
      <div class="buttons">
        {value.length < MAX_QUESTIONS && (
          <button type="button" class="button" onClick={() => onChange([...value, blank])}>
            Add question
          </button>
        )}
        {value.length > MIN_QUESTIONS && (
          <button type="button" class="button" onClick={() => onChange(value.slice(0, -1))}>
            Remove question
          </button>
        )}
      </div>
    </div>
  );
}
