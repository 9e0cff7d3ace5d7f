import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/vault/en.ts";
import { RecipientFields } from "./recipient-fields.tsx";
import type { RecordProps } from "./record-props.ts";

const w = en.startExport;

/** Step 1 of an export: creates an encrypted package that no one can open yet. */
export function StartExport({ envelope_id, copy, done }: RecordProps) {
  const sending = useSending();
  const [recipient, setRecipient] = useState({ name: "", email: "" });
  const [reason, setReason] = useState("");
  const pack = async () => {
    const answer = await call("create_vault_export", { params: { envelope_id }, body: { recipient, reason } });
    const isPacked = "export_id" in answer;
    await done(isPacked ? w.packedForGets(recipient.name, recipient.email) : w.proposedTheOriginal, isPacked ? "good" : "plain");
  };
  return (
    <Card title={w.exportStep1}>
      <p>{w.theOriginalAnd}</p>
      {copy.legal_hold ? (
        <p class="notice bad">{w.aLegalHold}</p>
      ) : (
        <Form sending={sending} onSend={pack}>
          <RecipientFields value={recipient} onValue={setRecipient} sending={sending} />
          <AreaField label={w.reason} name="reason" required value={reason} onText={setReason} maxLength={500} rows={2} sending={sending} />
          <div class="buttons">
            <SubmitButton sending={sending} busyLabel={w.packing}>
              {w.packOriginal}
            </SubmitButton>
          </div>
        </Form>
      )}
    </Card>
  );
}
