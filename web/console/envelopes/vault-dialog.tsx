import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { Submit } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { type Acceptance, AcceptanceField, certificationOf, faultOf, noAcceptance } from "./acceptance.tsx";
import type { EnvelopeDialogProps } from "./void-dialog.tsx";

/** Takes a signed document into the vault by hand. */
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
    await onDone(vaulted ? "The document is in the vault." : "The vault is taking it in. This screen says when it is there.");
  };
  return (
    <Dialog title="Vault this document" onClose={onClose}>
      <Form sending={sending} onSend={vault} wide>
        <p>The vault keeps “{envelope.envelope_name}” as the one authoritative copy. From then on every download is a marked copy.</p>
        <AcceptanceField value={given} onChange={setGiven} fault={fault} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Not now
          </button>
          <Submit sending={sending} meanwhile="Taking it in…">
            Vault document
          </Submit>
        </div>
      </Form>
    </Dialog>
  );
}
