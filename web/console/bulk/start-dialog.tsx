import type { BulkBatch } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { AcceptanceField, certificationOf, faultOf } from "../envelopes/acceptance.tsx";
import { noAcceptance } from "../envelopes/no-acceptance.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Checkbox } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { words } from "./words.tsx";

interface StartDialogProps {
  readonly batch: BulkBatch;
  readonly onStarted: (batch: BulkBatch) => void;
  readonly onClose: () => void;
}

/** Asks once more: nothing was sent before. With auto-vault, it has the certification terms. */
export function StartDialog({ batch: { batch_id, state, ready, invalid, options }, onStarted, onClose }: StartDialogProps) {
  const sending = useSending();
  const [leavesOut, setLeavesOut] = useState(false);
  const [acceptance, setAcceptance] = useState(noAcceptance);
  const [isTried, setTried] = useState(false);
  const mustLeaveOut = state === "checked" && invalid > 0;
  const isVaulted = options.auto_vault_enabled === true;
  const termsFault = isVaulted ? faultOf(acceptance) : null;
  const start = async () => {
    setTried(true);
    if ((mustLeaveOut && !leavesOut) || termsFault !== null) return;
    const body = { ...(mustLeaveOut && { accept_invalid: true }), ...(isVaulted && { certification: certificationOf(acceptance) }) };
    onStarted(await call("start_bulk_batch", { params: { batch_id }, body }));
    onClose();
  };
  return (
    <Dialog title={words.start.title(ready)} onClose={onClose}>
      <Form sending={sending} onSend={start}>
        <p>{words.start.text(ready)}</p>
        {mustLeaveOut && (
          <div>
            <Checkbox label={words.start.leaveOut(invalid)} checked={leavesOut} onCheck={setLeavesOut} />
            {isTried && !leavesOut && (
              <p class="error" role="alert">
                {words.start.leaveOutFault}
              </p>
            )}
          </div>
        )}
        {isVaulted && <AcceptanceField value={acceptance} onChange={setAcceptance} fault={isTried ? termsFault : null} />}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.start.cancel}
          </button>
          <SubmitButton sending={sending}>{words.start.confirm}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
