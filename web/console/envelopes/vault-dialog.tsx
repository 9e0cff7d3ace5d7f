import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { type Acceptance, AcceptanceField, certificationOf, faultOf, noAcceptance } from "./acceptance.tsx";
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
    await onDone(
      vaulted ? "Document stored in the vault." : "The document is being stored. This page will tell you when it is in the vault.",
    );
  };
  return (
    <Dialog title="Store document in vault" onClose={onClose}>
      <Form sending={sending} onSend={vault} wide>
        <p>The vault keeps “{envelope.envelope_name}” as the only authoritative copy. From then on, every download is marked as a copy.</p>
        <AcceptanceField value={given} onChange={setGiven} fault={fault} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending} busyLabel="Storing…">
            Store document
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
