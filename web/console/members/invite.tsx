import type { NewInvitation, Role } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { local } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/members/en.ts";
import { roleChoices, roleWords } from "./api.ts";

const words = en.dialog;

interface InviteDialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function InviteDialog({ onDone, onClose }: InviteDialogProps) {
  const sending = useSending();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [invited, setInvited] = useState<NewInvitation | null>(null);
  const invite = async () => {
    setInvited(await call("invite_member", { body: { email: email.trim(), role } }));
    onDone();
  };
  if (invited !== null) return <Done invited={invited} onClose={onClose} />;
  return (
    <Dialog key="ask" title={en.invite} onClose={onClose}>
      <Form sending={sending} onSend={invite}>
        <TextField
          label={words.email}
          name="email"
          required
          type="email"
          autoComplete="off"
          value={email}
          onText={setEmail}
          sending={sending}
        />
        <SelectField
          label={en.role}
          name="role"
          value={role}
          choices={roleChoices()}
          onChoice={setRole}
          hint={roleWords[role]}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={sending}>{words.button}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

/** The link is shown here only, and only if it could not be sent by e-mail. */
function Done({ invited: { email, accept_url, expires_at }, onClose }: { invited: NewInvitation; onClose: () => void }) {
  return (
    <Dialog key="done" title={words.doneTitle(email)} onClose={onClose}>
      {accept_url === undefined ? (
        <p role="status">{words.sent(email, local(expires_at))}</p>
      ) : (
        <>
          <p role="status">{words.notSent(local(expires_at))}</p>
          <div class="secret">
            <code>{accept_url}</code>
            <Copy text={accept_url} what={words.link} />
          </div>
        </>
      )}
      <div class="buttons end">
        <button type="button" class="button primary" onClick={onClose}>
          {words.done}
        </button>
      </div>
    </Dialog>
  );
}
