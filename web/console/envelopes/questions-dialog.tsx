import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { blankQuestions, isComplete, QuestionsField, questionsInput } from "./questions.tsx";
import type { SignerDialogProps } from "./signer-actions.ts";

/** Replaces a signer's identity questions. Possible until the signer has signed. */
export function QuestionsDialog({ envelope_id, signer, onDone, onClose }: SignerDialogProps) {
  const sending = useSending();
  const [questions, setQuestions] = useState(blankQuestions);
  const [isChecked, setChecked] = useState(false);
  const set = async () => {
    setChecked(true);
    if (!isComplete(questions)) return;
    await call("set_identity_questions", { params: { envelope_id, slug: signer.slug }, body: { questions: questionsInput(questions) } });
    onClose();
    await onDone(`Questions set for ${signer.name}.`);
  };
  return (
    <Dialog title={`Questions for ${signer.name}`} onClose={onClose}>
      <Form sending={sending} onSend={set} wide>
        <p>
          {signer.name} must answer these questions before seeing the document. Choose answers that only the two of you know. The answers
          are never shown again. These questions replace any that were set before.
        </p>
        <QuestionsField
          of={signer.name}
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
