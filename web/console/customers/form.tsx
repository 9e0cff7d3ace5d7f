import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type Sending, useSending } from "../sending.ts";
import { type CustomerField, changesOf, type Entered, labels, mainFields, moreGroups } from "./fields.ts";

interface CustomerDialogProps {
  readonly title: string;
  readonly button: string;
  readonly start: Entered;
  /** gets only the changed fields */
  readonly onSend: (changes: ReturnType<typeof changesOf>) => Promise<unknown>;
  readonly onClose: () => void;
}

/** All fields of a customer. Closing with unsaved changes must be repeated to discard them. */
export function CustomerDialog({ title, button, start, onSend, onClose }: CustomerDialogProps) {
  const sending = useSending();
  const [entered, setEntered] = useState(start);
  const [isAsked, setAsked] = useState(false);
  const changes = changesOf(start, entered);
  const isChanged = Object.keys(changes).length > 0;
  const close = () => (isChanged && !isAsked ? setAsked(true) : onClose());
  const change = (field: CustomerField) => (value: string) => {
    setEntered((now) => ({ ...now, [field]: value }));
    setAsked(false);
  };
  return (
    <Dialog title={title} onClose={close}>
      <Form sending={sending} onSend={() => onSend(changes)}>
        <Group fields={mainFields} {...{ entered, change, sending }} />
        {moreGroups.map(([name, fields]) => (
          <FieldGroup key={name} name={name} fields={fields} {...{ entered, change, sending }} />
        ))}
        <p class="error" role="status">
          {isAsked && isChanged ? "You have unsaved changes. Close again to discard them." : ""}
        </p>
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
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
          {...(field === "client_id" && { hint: "Your own reference. It must be unique." })}
        />
      ))}
    </div>
  );
}
