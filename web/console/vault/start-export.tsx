import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import type { Recorded } from "./recorded.ts";

/** The first act: an encrypted package that nobody can open yet. */
export function StartExport({ envelope_id, copy, done }: Recorded) {
  const sending = useSending();
  const [recipient, setRecipient] = useState({ name: "", email: "" });
  const [reason, setReason] = useState("");
  const pack = async () => {
    await call("create_vault_export", { params: { envelope_id }, body: { recipient, reason } });
    await done(`It is packed for ${recipient.name}. Download the package, and acknowledge it when it has arrived.`);
  };
  return (
    <Card title="Vault-out, act 1 of 2: pack it for a recipient">
      <p>
        The original and its evidence go into one encrypted package. It stays yours until the package is acknowledged: then the key is
        shown, and what is kept here is a copy. For 14 days, until the acknowledgement, it can be taken back.
      </p>
      {copy.legal_hold ? (
        <p class="notice bad">A legal hold stands. Release it on the tab Record first: until then the original cannot leave.</p>
      ) : (
        <Form sending={sending} onSend={pack}>
          <div class="columns">
            <TextField
              label="Recipient"
              name="recipient.name"
              value={recipient.name}
              onText={(name) => setRecipient({ ...recipient, name })}
              sending={sending}
              autoComplete="off"
            />
            <TextField
              label="Recipient's e-mail address"
              name="recipient.email"
              type="email"
              value={recipient.email}
              onText={(email) => setRecipient({ ...recipient, email })}
              sending={sending}
              autoComplete="off"
            />
          </div>
          <AreaField label="Reason" name="reason" value={reason} onText={setReason} maxLength={500} rows={2} sending={sending} />
          <div class="buttons">
            <SubmitButton sending={sending} busyLabel="Packing…">
              Pack the original
            </SubmitButton>
          </div>
        </Form>
      )}
    </Card>
  );
}
