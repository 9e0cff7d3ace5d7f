import type { Template } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { TagsField } from "../parts/tags-field.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/repeat/en.ts";
import { type LoadedTemplate, saveTemplate } from "./save-template.ts";

export interface TemplateDialogProps {
  readonly loaded: LoadedTemplate;
  readonly onSaved: (template: Template) => Promise<void>;
  readonly onClose: () => void;
}

const words = en.templates;

/** Another name, or other tags. */
export function NameDialog({ loaded, onSaved, onClose }: TemplateDialogProps) {
  const { data: template } = loaded;
  const sending = useSending();
  const [name, setName] = useState(template.name);
  const [tags, setTags] = useState<readonly string[]>(template.tags);
  const save = async () => {
    const saved = await saveTemplate(loaded, { name, tags });
    onClose();
    await onSaved(saved);
  };
  return (
    <Dialog title={words.rename} onClose={onClose}>
      <Form sending={sending} onSend={save}>
        <TextField label={words.name} name="name" required maxLength={200} value={name} onText={setName} sending={sending} />
        <TagsField label={words.tags} name="tags" hint={words.tagsHint} optional tags={tags} onTags={setTags} sending={sending} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={sending}>{en.save}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
