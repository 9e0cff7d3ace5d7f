import type { Locale, Recipient } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { AreaField, SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { signerLanguages } from "../parts/languages.ts";
import { useSending } from "../sending.ts";
import { en as identityWords } from "../words/identity-check/en.ts";
import { en as words } from "../words/recipients/en.ts";
import { IdentityForm } from "./identity-form.tsx";
import type { RecipientDialogProps } from "./recipient-actions.ts";
import { StepField } from "./step-field.tsx";

interface ChangeDialogProps extends RecipientDialogProps {
  readonly recipients: readonly Recipient[];
  /** the step that is running */
  readonly running: number;
}

/** Changes a recipient who has not acted yet. */
export function ChangeDialog({ envelope_id, recipient, recipients, running, onDone, onClose }: ChangeDialogProps) {
  const sending = useSending();
  const [name, setName] = useState(recipient.name);
  const [email, setEmail] = useState(recipient.email);
  const [locale, setLocale] = useState<Locale | "">(recipient.locale ?? "");
  const [message, setMessage] = useState(recipient.message ?? "");
  const [step, setStep] = useState(recipient.step);
  // What it shows is loaded when it is opened.
  const [isIdentity, setIdentity] = useState(false);
  const body = {
    ...(name !== recipient.name && { name }),
    ...(email !== recipient.email && { email }),
    ...((locale || null) !== recipient.locale && { locale: locale || null }),
    ...(message !== (recipient.message ?? "") && { message: message || null }),
    ...(step !== null && step !== recipient.step && { step }),
  };
  const given = { params: { envelope_id, recipient_id: recipient.recipient_id }, body };
  const change = async () => {
    if (Object.keys(body).length > 0) await call("change_recipient", given);
    onClose();
    await onDone(words.changed);
  };
  return (
    <Dialog title={words.changeOne(recipient.name)} onClose={onClose}>
      <Form sending={sending} onSend={change}>
        <TextField
          label={words.name}
          name="name"
          required
          autoComplete="off"
          maxLength={200}
          value={name}
          onText={setName}
          sending={sending}
        />
        <TextField
          label={words.email}
          name="email"
          required
          type="email"
          autoComplete="off"
          hint={words.changeAddressHint}
          value={email}
          onText={setEmail}
          sending={sending}
        />
        {step !== null && recipients.length > 1 && (
          <StepField value={step} recipients={recipients} running={running} onStep={setStep} sending={sending} />
        )}
        <AreaField
          label={words.message}
          name="message"
          optional
          hint={words.messageHint}
          maxLength={2000}
          value={message}
          onText={setMessage}
          sending={sending}
        />
        <SelectField label={words.language} name="locale" value={locale} choices={signerLanguages} onChoice={setLocale} sending={sending} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending}>{words.save}</SubmitButton>
        </div>
      </Form>
      <ApiCall operation="change_recipient" given={given} />
      {recipient.kind !== "cc" && (
        <details class="stack" onToggle={(event) => setIdentity(event.currentTarget.open)}>
          <summary>{identityWords.label}</summary>
          {isIdentity && <IdentityForm envelope_id={envelope_id} recipient={recipient} onDone={onDone} onClose={onClose} />}
        </details>
      )}
    </Dialog>
  );
}
