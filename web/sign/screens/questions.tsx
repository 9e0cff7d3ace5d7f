import type { IdentityChallenge } from "@countersign/client/pages";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isTemporary } from "../../http.ts";
import { words } from "../../i18n/i18n.ts";
import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { showTrouble } from "../../trouble.ts";
import { handleError } from "../actions.ts";
import { note, opened } from "../ceremony.ts";
import { answerQuestions, loadQuestions } from "../identity-questions.ts";
import { CodeTask } from "./code.tsx";
import { Heading } from "./heading.tsx";

/** What the person has to prove before any page is shown, one step after the other. */
export function QuestionsTask() {
  const step = opened.value?.identity.steps.find(({ state }) => state !== "passed");
  return step === undefined || step.method === "kba" ? <Questions /> : <CodeTask key={step.method} step={step} />;
}

/** Identity questions. The answers are sent once and not stored. */
function Questions() {
  const asked = useSignal<IdentityChallenge | null>(null);
  const answers = useSignal<Readonly<Record<number, string>>>({});
  const isBusy = useSignal(false);
  const isIncomplete = useSignal(false);
  const hasFailed = useSignal(false);
  const message = useRef<HTMLParagraphElement>(null);
  const ask = async () => {
    try {
      asked.value = await loadQuestions();
      answers.value = {};
      hasFailed.value = false;
    } catch (error) {
      hasFailed.value = true;
      if (isTemporary(error)) showTrouble(error);
      else await handleError(error);
    }
  };
  useEffect(() => void ask(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const questions = asked.value;
    if (questions === null || isBusy.value) return;
    const given = questions.questions.map(({ id }) => ({ id, value: answers.value[id] ?? "" }));
    isIncomplete.value = given.some(({ value }) => value.trim() === "");
    if (isIncomplete.value) return;
    isBusy.value = true;
    const isPassed = await answerQuestions(questions, given);
    if (!isPassed && opened.value?.state === "ready") await ask();
    isBusy.value = false;
    // The questions are new, so the reader hears first what happened.
    if (!isPassed) requestAnimationFrame(() => message.current?.focus());
  };
  const { sender = "" } = opened.value?.envelope ?? {};
  return (
    <form class="stack" onSubmit={submit} autocomplete="off">
      <div class="stack tight">
        <Heading>{lazyWords.value.questionsTitle}</Heading>
        <p>{opened.value?.identity.state === "expired" ? lazyWords.value.questionsAgain : lazyWords.value.questionsLead(sender)}</p>
      </div>
      {asked.value === null && hasFailed.value && (
        <button type="button" class="button" onClick={() => void ask()}>
          {words.value.tryAgain}
        </button>
      )}
      {asked.value !== null && (
        <>
          {asked.value.questions.map(({ id, text }) => (
            <div key={id}>
              <label class="label" for={`question-${id}`}>
                {text}
              </label>
              <input
                id={`question-${id}`}
                class="input"
                type="text"
                maxLength={200}
                autocomplete="off"
                value={answers.value[id] ?? ""}
                onInput={(event) => (answers.value = { ...answers.value, [id]: event.currentTarget.value })}
              />
            </div>
          ))}
          <p class="error" role="alert" tabIndex={-1} ref={message}>
            {isIncomplete.value ? lazyWords.value.questionsAnswerAll : noteText(asked.value.attempts_left)}
          </p>
          <p class="quiet small">{lazyWords.value.questionsAttempts(asked.value.attempts_left)}</p>
          <button type="submit" class="button primary wide" disabled={isBusy.value}>
            {words.value.continue}
          </button>
        </>
      )}
    </form>
  );
}

function noteText(left: number): string {
  if (note.value === "questions_wrong") return lazyWords.value.questionsWrong(left);
  return note.value === "questions_over" ? lazyWords.value.questionsOver : "";
}
