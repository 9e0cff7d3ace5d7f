import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { useSending } from "../sending.ts";
import { Submit } from "./button.tsx";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** what the button says: the act itself, never "OK" */
  readonly button: string;
  readonly kind?: "primary" | "danger";
  /** has to be typed before: for what cannot be taken back */
  readonly typed?: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. Closes when it is done; what went wrong is said here. */
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
            label={`Type “${typed}” to go on`}
            name="typed"
            value={given}
            onText={(value) => {
              setGiven(value);
              setWrong(false);
            }}
            autoComplete="off"
            error={isWrong ? "is not the same yet" : null}
          />
        )}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Not now
          </button>
          <Submit sending={sending} kind={kind}>
            {button}
          </Submit>
        </div>
      </Form>
    </Dialog>
  );
}
