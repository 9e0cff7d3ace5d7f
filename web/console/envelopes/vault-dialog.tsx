import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/envelope-dialogs/en.ts";
import { type Acceptance, AcceptanceField, certificationOf, faultOf } from "./acceptance.tsx";
import { noAcceptance } from "./no-acceptance.ts";
import type { EnvelopeDialogProps } from "./void-dialog.tsx";

/** Stores a signed document in the vault on request. */
export function VaultDialog({ envelope, onDone, onClose }: EnvelopeDialogProps) {
  const sending = useSending();
  const [given, setGiven] = useState<Acceptance>(noAcceptance);
  const [fault, setFault] = useState<ReturnType<typeof faultOf>>(null);
  const vault = async () => {
    const wrong = faultOf(given);
    setFault(wrong);
    if (wrong !== null) return;
    const { vaulted } = await call("vault_in_signed", {
      params: { envelope_id: envelope.envelope_id },
      body: { certification: certificationOf(given) },
    });
    onClose();
    await onDone(vaulted ? words.vault.done : words.vault.started);
  };
  return (
    <Dialog title={words.vault.title} onClose={onClose}>
      <Form sending={sending} onSend={vault} wide>
        <p>{words.vault.text(envelope.envelope_name)}</p>
        <AcceptanceField value={given} onChange={setGiven} fault={fault} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending} busyLabel={words.vault.busy}>
            {words.vault.button}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
