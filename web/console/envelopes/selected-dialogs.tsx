import type { ActOnEnvelopesRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { AreaField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { TagsField } from "../parts/tags-field.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/list/en.ts";

const words = en.selection;

export type Action = Omit<ActOnEnvelopesRequest, "envelope_ids" | "action"> & { readonly action: keyof typeof words.acted };

interface ManyDialogProps {
  readonly count: number;
  readonly onAct: (action: Action) => Promise<void>;
  readonly onClose: () => void;
}

const MOST_TAGS = 20;

export function TagDialog({ count, onAct, onClose }: ManyDialogProps) {
  const sending = useSending();
  const [tags, setTags] = useState<readonly string[]>([]);
  return (
    <Dialog title={words.tagMany(count)} onClose={onClose}>
      <Form sending={sending} onSend={() => onAct({ action: "tag", tags })}>
        <TagsField label={words.tags} name="tags" hint={words.tagsHint(MOST_TAGS)} tags={tags} onTags={setTags} sending={sending} />
        <DialogButtons sending={sending} onClose={onClose} act={words.addTags} />
      </Form>
    </Dialog>
  );
}

export function VoidManyDialog({ count, onAct, onClose }: ManyDialogProps) {
  const sending = useSending();
  const [reason, setReason] = useState("");
  return (
    <Dialog title={words.voidMany(count)} onClose={onClose}>
      <Form sending={sending} onSend={() => onAct({ action: "void", reason })}>
        <p>{words.voidText}</p>
        <AreaField
          label={words.reason}
          name="reason"
          required
          hint={words.reasonHint}
          maxLength={500}
          value={reason}
          onText={setReason}
          sending={sending}
        />
        <DialogButtons sending={sending} onClose={onClose} act={words.voidAll} kind="danger" />
      </Form>
    </Dialog>
  );
}

interface DialogButtonsProps {
  readonly sending: ReturnType<typeof useSending>;
  readonly onClose: () => void;
  readonly act: string;
  readonly kind?: "primary" | "danger";
}

function DialogButtons({ sending, onClose, act, kind = "primary" }: DialogButtonsProps) {
  return (
    <div class="buttons end">
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
      <SubmitButton sending={sending} kind={kind}>
        {act}
      </SubmitButton>
    </div>
  );
}
