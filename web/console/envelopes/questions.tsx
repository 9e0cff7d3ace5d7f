import { TextField } from "../parts/field.tsx";
import { en as words } from "../words/questions/en.ts";
import { faultIn } from "./fault-in.ts";
import { blank, MAX_QUESTIONS, MIN_QUESTIONS, type Question } from "./question.ts";

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
            <legend class="hidden-visually">{words.numberedFor(number, of)}</legend>
            <TextField
              label={words.numbered(number)}
              name={`questions[${index}].text`}
              autoComplete="off"
              maxLength={300}
              placeholder={index === 0 ? words.example : ""}
              value={question.text}
              onText={(text) => change(index, { text })}
              error={error("text")}
            />
            <div class="columns">
              <TextField
                label={words.answer(number)}
                name={`questions[${index}].answer`}
                type="password"
                autoComplete="off"
                maxLength={200}
                value={question.answer}
                onText={(answer) => change(index, { answer })}
                error={error("answer")}
              />
              <TextField
                label={words.answerAgain(number)}
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
            {words.add}
          </button>
        )}
        {value.length > MIN_QUESTIONS && (
          <button type="button" class="button" onClick={() => onChange(value.slice(0, -1))}>
            {words.remove}
          </button>
        )}
      </div>
    </div>
  );
}
