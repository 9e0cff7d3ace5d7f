import { TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";

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
        label="Recipient"
        name="recipient.name"
        value={value.name}
        onText={(name) => onValue({ ...value, name })}
        sending={sending}
        autoComplete="off"
      />
      <TextField
        label="Recipient's e-mail address"
        name="recipient.email"
        type="email"
        value={value.email}
        onText={(email) => onValue({ ...value, email })}
        sending={sending}
        autoComplete="off"
      />
    </div>
  );
}
