import type { Locale } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { Submit } from "../parts/button.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { signerLanguages } from "../parts/languages.ts";
import { useSending } from "../sending.ts";
import type { SignerDialogProps } from "./signer-acts.ts";

/** For a signer who has not opened the document yet. */
export function CorrectDialog({ envelope_id, signer, isAtTurn, onDone, onClose }: SignerDialogProps & { readonly isAtTurn: boolean }) {
  const sending = useSending();
  const [name, setName] = useState(signer.name);
  const [email, setEmail] = useState(signer.email);
  const [locale, setLocale] = useState<Locale | "">(signer.locale ?? "");
  const correct = async () => {
    await call("correct_signer", { params: { envelope_id, slug: signer.slug }, body: { name, email, locale: locale || null } });
    onClose();
    await onDone(`${name} is corrected.`);
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
          hint={`With another address the old link is dead${isAtTurn ? ", and a new one is mailed at once." : "; the new one is mailed when it is their turn."}`}
          value={email}
          onText={setEmail}
          sending={sending}
        />
        <SelectField
          label="Language"
          name="locale"
          hint="Links that are made from now on open in it."
          value={locale}
          choices={signerLanguages}
          onChoice={setLocale}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Not now
          </button>
          <Submit sending={sending}>Save</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
