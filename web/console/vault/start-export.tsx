import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { RecipientFields } from "./recipient-fields.tsx";
import type { RecordProps } from "./record-props.ts";

/** Step 1 of an export: creates an encrypted package that no one can open yet. */
export function StartExport({ envelope_id, copy, done }: RecordProps) {
  const sending = useSending();
  const [recipient, setRecipient] = useState({ name: "", email: "" });
  const [reason, setReason] = useState("");
  const pack = async () => {
    const answer = await call("create_vault_export", { params: { envelope_id }, body: { recipient, reason } });
    const isPacked = "export_id" in answer;
    await done(
      isPacked
        ? `Packed for ${recipient.name}. ${recipient.email} gets an e-mail with a link to the package.`
        : "Proposed. The original is packed when the secured party and the pledgees have confirmed it; see the Control tab.",
      isPacked ? "good" : "plain",
    );
  };
  return (
    <Card title="Export, step 1 of 2: pack the original">
      <p>
        The original and its evidence go into one encrypted package. The recipient gets an e-mail with a link to download it and to take the
        original over. Until then the original stays here, and you can withdraw the export. It expires after 14 days. If there is a secured
        party or a pledgee that confirms for itself, it is asked first.
      </p>
      {copy.legal_hold ? (
        <p class="notice bad">A legal hold is active. Release it on the Record tab before you export the original.</p>
      ) : (
        <Form sending={sending} onSend={pack}>
          <RecipientFields value={recipient} onValue={setRecipient} sending={sending} />
          <AreaField label="Reason" name="reason" value={reason} onText={setReason} maxLength={500} rows={2} sending={sending} />
          <div class="buttons">
            <SubmitButton sending={sending} busyLabel="Packing…">
              Pack original
            </SubmitButton>
          </div>
        </Form>
      )}
    </Card>
  );
}
