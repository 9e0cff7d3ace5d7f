import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { Submit } from "../parts/button.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";

export interface EnvelopeDialogProps {
  readonly envelope: Envelope;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

export function VoidDialog({ envelope, onDone, onClose }: EnvelopeDialogProps) {
  const sending = useSending();
  const [reason, setReason] = useState("");
  const voidIt = async () => {
    await call("void_envelope", { params: { envelope_id: envelope.envelope_id }, body: { reason } });
    onClose();
    await onDone("The envelope is voided.");
  };
  return (
    <Dialog title="Void this envelope" onClose={onClose}>
      <Form sending={sending} onSend={voidIt}>
        <p>Nobody can sign “{envelope.envelope_name}” any more, and those who were asked are told. This cannot be taken back.</p>
        <AreaField
          label="Reason"
          name="reason"
          hint="Signers and the timeline see it."
          maxLength={500}
          value={reason}
          onText={setReason}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Not now
          </button>
          <Submit sending={sending} kind="danger">
            Void envelope
          </Submit>
        </div>
      </Form>
    </Dialog>
  );
}
