import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, listAll } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/envelope/en.ts";
import type { EnvelopeDialogProps } from "./void-dialog.tsx";

const words = en.owner;

/** Gives the envelope to another member. */
export function OwnerDialog({ envelope, onDone, onClose }: EnvelopeDialogProps & { readonly envelope: Envelope }) {
  const { envelope_id, metadata } = envelope;
  const sending = useSending();
  const { data, error, reload } = useLoad("members", () => listAll("list_members"));
  const members = data ?? [];
  const isMember = members.some(({ user_id }) => user_id === metadata.owner_user_id);
  const [chosen, setChosen] = useState<string | null>(null);
  const owner_user_id = chosen ?? (isMember ? metadata.owner_user_id : null) ?? me().user.user_id;
  const given = { params: { envelope_id }, body: { owner_user_id } };
  const save = async () => {
    if (owner_user_id !== metadata.owner_user_id) await call("update_envelope", given);
    onClose();
    await onDone(words.saved(members.find(({ user_id }) => user_id === owner_user_id)?.name ?? ""));
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <ErrorNotice error={error} onRetry={reload} />
      <Form sending={sending} onSend={save}>
        {members.length > 0 && (
          <SelectField
            label={words.label}
            name="owner_user_id"
            value={owner_user_id}
            choices={members.map(({ user_id, name, email }) => [user_id, `${name} (${email})`] as const)}
            onChoice={setChosen}
            hint={words.hint}
            sending={sending}
          />
        )}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          {members.length > 0 && <SubmitButton sending={sending}>{en.save}</SubmitButton>}
        </div>
      </Form>
      <ApiCall operation="update_envelope" given={given} />
    </Dialog>
  );
}
