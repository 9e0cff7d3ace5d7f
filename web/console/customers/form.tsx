import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type Sending, useSending } from "../sending.ts";
import { en as words } from "../words/customers/en.ts";
import { type CustomerField, changesOf, type Entered, labels, mainFields, moreGroups } from "./fields.ts";

interface CustomerDialogProps {
  readonly title: string;
  readonly button: string;
  readonly start: Entered;
  /** gets only the changed fields */
  readonly onSend: (changes: ReturnType<typeof changesOf>) => Promise<unknown>;
  readonly onClose: () => void;
}

/** All fields of a customer. */
export function CustomerDialog({ title, button, start, onSend, onClose }: CustomerDialogProps) {
  const sending = useSending();
  const [entered, setEntered] = useState(start);
  const changes = changesOf(start, entered);
  const change = (field: CustomerField) => (value: string) => setEntered((now) => ({ ...now, [field]: value }));
  return (
    <Dialog title={title} onClose={onClose}>
      <Form sending={sending} onSend={() => onSend(changes)}>
        <Group fields={mainFields} {...{ entered, change, sending }} />
        {moreGroups.map(([name, fields]) => (
          <FieldGroup key={name} name={name} fields={fields} {...{ entered, change, sending }} />
        ))}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending}>{button}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

interface GroupProps {
  readonly fields: readonly CustomerField[];
  readonly entered: Entered;
  readonly change: (field: CustomerField) => (value: string) => void;
  readonly sending: Sending;
}

/** A group that is collapsed if it is empty, and opens if one of its fields has an error. */
function FieldGroup({ name, ...group }: GroupProps & { readonly name: string }) {
  const [isOpen, setOpen] = useState(group.fields.some((field) => group.entered[field] !== ""));
  const isWrong = group.fields.some((field) => group.sending.errorOf(field) !== null);
  return (
    <details class="more-fields" open={isOpen || isWrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{name}</summary>
      <Group {...group} />
    </details>
  );
}

function Group({ fields, entered, change, sending }: GroupProps) {
  return (
    <div class="columns">
      {fields.map((field) => (
        <TextField
          key={field}
          label={labels[field]}
          name={field}
          autoComplete="off"
          value={entered[field]}
          onText={change(field)}
          sending={sending}
          {...(field === "email" && { type: "email" })}
          {...(field === "phone" && { type: "tel" })}
          {...(field === "website_url" && { type: "url", placeholder: "https://" })}
          {...(field === "client_id" && { hint: words.clientIdHint })}
        />
      ))}
    </div>
  );
}
