import type { NewInvitation, Role } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { local } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { roleChoices, roleWords } from "./api.ts";

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
    <Dialog key="ask" title="Invite member" onClose={onClose}>
      <Form sending={sending} onSend={invite}>
        <TextField label="E-mail address" name="email" type="email" autoComplete="off" value={email} onText={setEmail} sending={sending} />
        <SelectField
          label="Role"
          name="role"
          value={role}
          choices={roleChoices}
          onChoice={setRole}
          hint={roleWords[role]}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending}>Invite</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

/** The link is shown here only, and only if it could not be sent by e-mail. */
function Done({ invited: { email, accept_url, expires_at }, onClose }: { invited: NewInvitation; onClose: () => void }) {
  return (
    <Dialog key="done" title={`${email} is invited`} onClose={onClose}>
      {accept_url === undefined ? (
        <p role="status">
          We have sent the link to {email}. It works once, until {local(expires_at)}. Only the invited person receives it.
        </p>
      ) : (
        <>
          <p role="status">
            No mail server is set up, so send this link yourself. It works once, until {local(expires_at)}, and is not shown again.
          </p>
          <div class="secret">
            <code>{accept_url}</code>
            <Copy text={accept_url} what="the invitation link" />
          </div>
        </>
      )}
      <div class="buttons end">
        <button type="button" class="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
