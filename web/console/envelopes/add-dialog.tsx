import type { Locale, Recipient, RecipientKind } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { choicesOf } from "../parts/choices.ts";
import { Dialog } from "../parts/dialog.tsx";
import { AreaField, SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { signerLanguages } from "../parts/languages.ts";
import { useSending } from "../sending.ts";
import { en as words } from "../words/recipients/en.ts";
import { StepField } from "./step-field.tsx";

interface AddDialogProps {
  readonly envelope_id: string;
  readonly recipients: readonly Recipient[];
  /** the step that is running */
  readonly running: number;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

const { signer: _, ...kinds } = words.kinds;

/** Adds a person who approves, reads or gets a copy to an envelope that was sent. */
export function AddDialog({ envelope_id, recipients, running, onDone, onClose }: AddDialogProps) {
  const sending = useSending();
  const [kind, setKind] = useState<Exclude<RecipientKind, "signer">>("viewer");
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [step, setStep] = useState(running);
  const [message, setMessage] = useState("");
  const [locale, setLocale] = useState<Locale | "">("");
  const body = {
    kind,
    name: name.trim(),
    email: email.trim(),
    ...(kind !== "cc" && { step }),
    ...(message !== "" && { message }),
    ...(locale !== "" && { locale }),
  };
  const given = { params: { envelope_id }, body };
  const add = async () => {
    await call("add_recipient", given);
    onClose();
    await onDone(words.added(body.name));
  };
  return (
    <Dialog title={words.addOne} onClose={onClose}>
      <Form sending={sending} onSend={add}>
        <p>{words.addLead}</p>
        <SelectField
          label={words.kind}
          name="kind"
          value={kind}
          choices={choicesOf(kinds)}
          hint={words.kindHints[kind]}
          onChoice={setKind}
          sending={sending}
        />
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
          value={email}
          onText={setEmail}
          sending={sending}
        />
        {kind !== "cc" && <StepField value={step} recipients={recipients} running={running} onStep={setStep} sending={sending} />}
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
          <SubmitButton sending={sending}>{words.addOne}</SubmitButton>
        </div>
      </Form>
      <ApiCall operation="add_recipient" given={given} />
    </Dialog>
  );
}
