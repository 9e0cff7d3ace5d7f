import type { Locale } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { signerLanguages } from "../parts/languages.ts";
import { useSending } from "../sending.ts";
import type { SignerDialogProps } from "./signer-actions.ts";

/** Corrects a signer who has not opened the document yet. */
export function CorrectDialog({ envelope_id, signer, isAtTurn, onDone, onClose }: SignerDialogProps & { readonly isAtTurn: boolean }) {
  const sending = useSending();
  const [name, setName] = useState(signer.name);
  const [email, setEmail] = useState(signer.email);
  const [locale, setLocale] = useState<Locale | "">(signer.locale ?? "");
  const correct = async () => {
    await call("correct_signer", { params: { envelope_id, slug: signer.slug }, body: { name, email, locale: locale || null } });
    onClose();
    await onDone("Signer corrected.");
  };
  return (
    <Dialog title={`Correct ${signer.name}`} onClose={onClose}>
      <Form sending={sending} onSend={correct}>
        <TextField label="Name" name="name" autoComplete="off" maxLength={200} value={name} onText={setName} sending={sending} />
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="off"
          hint={`If you change the address, the old link stops working. A new link is e-mailed ${isAtTurn ? "at once." : "when it is their turn."}`}
          value={email}
          onText={setEmail}
          sending={sending}
        />
        <SelectField
          label="Language"
          name="locale"
          hint="New signing links open in this language."
          value={locale}
          choices={signerLanguages}
          onChoice={setLocale}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending}>Save</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
