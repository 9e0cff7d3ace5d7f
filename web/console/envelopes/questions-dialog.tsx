import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { Submit } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { askedOf, blankQuestions, isComplete, QuestionsField } from "./questions.tsx";
import type { SignerDialogProps } from "./signer-acts.ts";

/** They take the place of those before, until the signer has signed. */
export function QuestionsDialog({ envelope_id, signer, onDone, onClose }: SignerDialogProps) {
  const sending = useSending();
  const [questions, setQuestions] = useState(blankQuestions);
  const [isChecked, setChecked] = useState(false);
  const set = async () => {
    setChecked(true);
    if (!isComplete(questions)) return;
    await call("set_identity_questions", { params: { envelope_id, slug: signer.slug }, body: { questions: askedOf(questions) } });
    onClose();
    await onDone(`${signer.name} is asked these questions from now on.`);
  };
  return (
    <Dialog title={`Questions for ${signer.name}`} onClose={onClose}>
      <Form sending={sending} onSend={set} wide>
        <p>
          {signer.name} answers them before the document is shown. Only the two of you should know the answers: they are never shown again.
          These questions take the place of any that were set before.
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
            Not now
          </button>
          <Submit sending={sending}>Set questions</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
