import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { blankQuestions, isComplete, QuestionsField, questionsInput } from "./questions.tsx";
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
    await onDone(`Questions set for ${recipient.name}.`);
  };
  return (
    <Dialog title={`Questions for ${recipient.name}`} onClose={onClose}>
      <Form sending={sending} onSend={set} wide>
        <p>
          {recipient.name} must answer these questions before seeing the document. Choose answers that only the two of you know. The answers
          are never shown again. These questions replace any that were set before.
        </p>
        <QuestionsField
          of={recipient.name}
          value={questions}
          onChange={setQuestions}
          isChecked={isChecked}
          errorOf={(place) => sending.errorOf(`questions${place}`)}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending}>Set questions</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
