import { TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { en } from "../words/vault/en.ts";

const w = en.recipientFields;

export interface Recipient {
  readonly name: string;
  readonly email: string;
}

interface RecipientFieldsProps {
  readonly value: Recipient;
  readonly onValue: (value: Recipient) => void;
  readonly sending: Sending;
}

/** Who receives an original, by name and e-mail address. */
export function RecipientFields({ value, onValue, sending }: RecipientFieldsProps) {
  return (
    <div class="columns">
      <TextField
        label={w.recipient}
        name="recipient.name"
        required
        value={value.name}
        onText={(name) => onValue({ ...value, name })}
        sending={sending}
        autoComplete="off"
      />
      <TextField
        label={w.recipientsEMail}
        name="recipient.email"
        required
        type="email"
        value={value.email}
        onText={(email) => onValue({ ...value, email })}
        sending={sending}
        autoComplete="off"
      />
    </div>
  );
}
