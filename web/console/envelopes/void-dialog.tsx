import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";

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
    await onDone("Envelope voided.");
  };
  return (
    <Dialog title="Void envelope" onClose={onClose}>
      <Form sending={sending} onSend={voidIt}>
        <p>“{envelope.envelope_name}” can no longer be signed, and everyone who was asked to sign is notified. You cannot undo this.</p>
        <AreaField
          label="Reason"
          name="reason"
          hint="Shown to signers and in the timeline."
          maxLength={500}
          value={reason}
          onText={setReason}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending} kind="danger">
            Void envelope
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
