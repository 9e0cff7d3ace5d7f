import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Form } from "../parts/form.tsx";
import { TagsField } from "../parts/tags-field.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/envelope/en.ts";
import type { EnvelopeDialogProps } from "./void-dialog.tsx";

const words = en.tags;
const MOST_TAGS = 20;

/** Replaces the tags of an envelope. */
export function TagsDialog({ envelope, onDone, onClose }: EnvelopeDialogProps & { readonly envelope: Envelope }) {
  const { envelope_id, metadata } = envelope;
  const sending = useSending();
  const [tags, setTags] = useState<readonly string[]>(metadata.tags);
  const given = { params: { envelope_id }, body: { tags } };
  const save = async () => {
    await call("update_envelope", given);
    onClose();
    await onDone(words.saved);
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form sending={sending} onSend={save}>
        <TagsField label={words.label} name="tags" hint={words.hint(MOST_TAGS)} tags={tags} onTags={setTags} sending={sending} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={sending}>{en.save}</SubmitButton>
        </div>
      </Form>
      <ApiCall operation="update_envelope" given={given} />
    </Dialog>
  );
}
