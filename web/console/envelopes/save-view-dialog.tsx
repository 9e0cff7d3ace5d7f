import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { en } from "../words/list/en.ts";

const words = en.views;

interface SaveViewDialogProps {
  /** the filters and the order of the list */
  readonly query: Readonly<Record<string, string>>;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function SaveViewDialog({ query, onSaved, onClose }: SaveViewDialogProps) {
  const sending = useSending();
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const save = async () => {
    await call("create_view", { body: { name, query, shared } });
    onClose();
    onSaved();
  };
  return (
    <Dialog title={words.save} onClose={onClose}>
      <Form sending={sending} onSend={save}>
        <p>{words.saveLead}</p>
        <TextField label={words.name} name="name" required maxLength={100} value={name} onText={setName} sending={sending} />
        {may("envelopes:write") && <Checkbox label={words.shared} checked={shared} onCheck={setShared} />}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending}>{words.save}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
