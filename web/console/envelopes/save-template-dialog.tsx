import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { navigate } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/repeat/en.ts";

interface SaveTemplateDialogProps {
  readonly envelope: { readonly envelope_id: string; readonly envelope_name: string };
  readonly onClose: () => void;
}

/** Saves an envelope as a template, and shows the template. */
export function SaveTemplateDialog({ envelope: { envelope_id, envelope_name }, onClose }: SaveTemplateDialogProps) {
  const sending = useSending();
  const [name, setName] = useState(envelope_name);
  const [keep_people, setKeep] = useState(false);
  const given = { params: { envelope_id }, body: { name, keep_people } };
  const save = async () => {
    const { template_id } = await call("save_envelope_as_template", given);
    onClose();
    navigate(`/templates/${template_id}`);
  };
  return (
    <Dialog title={en.template.title} onClose={onClose}>
      <Form sending={sending} onSend={save} shown={["name"]}>
        <p>{en.template.hint}</p>
        <TextField label={en.template.name} name="name" required maxLength={200} value={name} onText={setName} sending={sending} />
        <Checkbox label={en.template.keepPeople} hint={en.template.keepHint} checked={keep_people} onCheck={setKeep} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={sending}>{en.saveAsTemplate}</SubmitButton>
        </div>
      </Form>
      <ApiCall operation="save_envelope_as_template" given={given} />
    </Dialog>
  );
}
