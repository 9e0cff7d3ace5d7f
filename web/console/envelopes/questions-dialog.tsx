import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/questions/en.ts";
import { isComplete } from "./fault-in.ts";
import { blankQuestions, questionsInput } from "./question.ts";
import { QuestionsField } from "./questions.tsx";
import type { RecipientDialogProps } from "./recipient-actions.ts";

/** Replaces a person's identity questions. Possible until the person has acted. */
export function QuestionsDialog({ envelope_id, recipient, onDone, onClose }: RecipientDialogProps) {
  const sending = useSending();
  const [questions, setQuestions] = useState(blankQuestions);
  const [isChecked, setChecked] = useState(false);
  const set = async () => {
    setChecked(true);
    if (!isComplete(questions)) return;
    await call("set_identity_questions", { params: { envelope_id, slug: recipient.slug }, body: { questions: questionsInput(questions) } });
    onClose();
    await onDone(words.done(recipient.name));
  };
  return (
    <Dialog title={words.title(recipient.name)} onClose={onClose}>
      <Form sending={sending} onSend={set} wide>
        <p>{words.lead(recipient.name)}</p>
        <QuestionsField
          of={recipient.name}
          value={questions}
          onChange={setQuestions}
          isChecked={isChecked}
          errorOf={(place) => sending.errorOf(`questions${place}`)}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending}>{words.set}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
