import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useSending } from "../sending.ts";
import { en as words } from "../words/confirm/en.ts";
import { SubmitButton } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** the label of the button: the action itself, never "OK" */
  readonly button: string;
  readonly kind?: "primary" | "danger";
  /** a name that the user must type first, for actions that cannot be undone */
  readonly typed?: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for confirmation. Closes after success and shows the error otherwise. */
export function Confirm({ title, children, button, kind = "primary", typed, onConfirm, onClose }: ConfirmProps) {
  const sending = useSending();
  const [given, setGiven] = useState("");
  const [isWrong, setWrong] = useState(false);
  const confirm = async () => {
    if (typed !== undefined && given.trim() !== typed) return void setWrong(true);
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form sending={sending} onSend={confirm}>
        <div>{children}</div>
        {typed !== undefined && (
          <TextField
            label={words.type(typed)}
            name="typed"
            value={given}
            onText={(value) => {
              setGiven(value);
              setWrong(false);
            }}
            autoComplete="off"
            error={isWrong ? words.different : null}
            isWholeSentence
          />
        )}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending} kind={kind}>
            {button}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
