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
  /** name of the document */
  readonly name: string;
  readonly from: string;
  readonly onDone: (words: string) => Promise<void>;
  /** reloads the list: the transfer may have been cancelled in the meantime */
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

export function AcceptDialog({ transfer, name, from, onDone, reload, onClose }: AnswerProps) {
  const accept = async () => {
    await reloadOnConflict(() => call("accept_custody_transfer", { params: { permission_id: transfer.permission_id } }), reload);
    await onDone(`You are now the custodian of ${name}.`);
  };
  return (
    <Confirm title="Accept custody?" button="Accept custody" onConfirm={accept} onClose={onClose}>
      <p>
        You become the custodian of “{name}” in place of {from}. This is recorded in the audit trail.
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
    await onDone(`You rejected custody of ${name}. The custodian stays the same.`);
  };
  return (
    <Dialog title="Reject custody?" onClose={onClose}>
      <Form sending={sending} onSend={reject}>
        <p>
          {from} stays the custodian of “{name}”.
        </p>
        <AreaField label="Reason" name="reason" value={reason} onText={setReason} maxLength={500} optional sending={sending} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending}>Reject</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
