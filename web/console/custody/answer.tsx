import type { CustodyTransfer } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/custody/en.ts";

const w = en.answer;

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
    await onDone(w.youAreNow(name));
  };
  return (
    <Confirm title={w.acceptCustody} button={w.acceptCustodyWord} onConfirm={accept} onClose={onClose}>
      <p>{w.youBecomeThe(name, from)}</p>
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
    await onDone(w.youRejectedCustody(name));
  };
  return (
    <Dialog title={w.rejectCustody} onClose={onClose}>
      <Form sending={sending} onSend={reject}>
        <p>{w.staysTheCustodian(from, name)}</p>
        <AreaField label={w.reason} name="reason" value={reason} onText={setReason} maxLength={500} optional sending={sending} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {w.cancel}
          </button>
          <SubmitButton sending={sending}>{w.reject}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
