import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/envelope-dialogs/en.ts";

export interface EnvelopeDialogProps {
  readonly envelope: Pick<Envelope, "envelope_id" | "envelope_name">;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

export function VoidDialog({ envelope, onDone, onClose }: EnvelopeDialogProps) {
  const sending = useSending();
  const [reason, setReason] = useState("");
  const voidIt = async () => {
    await call("void_envelope", { params: { envelope_id: envelope.envelope_id }, body: { reason } });
    onClose();
    await onDone(words.void.done);
  };
  return (
    <Dialog title={words.void.title} onClose={onClose}>
      <Form sending={sending} onSend={voidIt}>
        <p>{words.void.text(envelope.envelope_name)}</p>
        <AreaField
          label={words.void.reason}
          name="reason"
          required
          hint={words.void.reasonHint}
          maxLength={500}
          value={reason}
          onText={setReason}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending} kind="danger">
            {words.void.button}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
