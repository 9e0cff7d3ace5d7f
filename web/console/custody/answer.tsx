import type { CustodyTransfer } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";

interface AnswerProps {
  readonly transfer: CustodyTransfer;
  /** of the document */
  readonly name: string;
  readonly from: string;
  readonly onDone: (words: string) => Promise<void>;
  /** the list behind it: the other side may have cancelled meanwhile */
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

export function AcceptDialog({ transfer, name, from, onDone, reload, onClose }: AnswerProps) {
  const accept = async () => {
    await reloadOnConflict(() => call("accept_custody_transfer", { params: { permission_id: transfer.permission_id } }), reload);
    await onDone(`You are the custodian of ${name} now.`);
  };
  return (
    <Confirm title="Take custody?" button="Take custody" onConfirm={accept} onClose={onClose}>
      <p>
        From this moment you keep the original of “{name}”, and {from} no longer does. It is written into its audit trail.
      </p>
    </Confirm>
  );
}

export function RejectDialog({ transfer, name, from, onDone, reload, onClose }: AnswerProps) {
  const sending = useSending();
  const [reason, setReason] = useState("");
  const reject = async () => {
    const body = reason.trim() === "" ? {} : { reason };
    await reloadOnConflict(() => call("reject_custody_transfer", { params: { permission_id: transfer.permission_id }, body }), reload);
    onClose();
    await onDone(`You rejected custody of ${name}; nothing has changed.`);
  };
  return (
    <Dialog title="Reject custody?" onClose={onClose}>
      <Form sending={sending} onSend={reject}>
        <p>
          “{name}” stays with {from}.
        </p>
        <AreaField label="Reason" name="reason" value={reason} onText={setReason} maxLength={500} optional sending={sending} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Not now
          </button>
          <SubmitButton sending={sending}>Reject</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
