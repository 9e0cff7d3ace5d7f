import type { Member } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { renew } from "../session.ts";
import { roleChoices, roleNames, roleWords } from "./api.ts";

interface RoleDialogProps {
  readonly member: Member;
  readonly isMe: boolean;
  readonly onDone: (words: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Another role for somebody. That the last admin stays one, the service says. */
export function RoleDialog({ member, isMe, onDone, onClose }: RoleDialogProps) {
  const sending = useSending();
  const [role, setRole] = useState(member.role);
  const save = async () => {
    await call("update_role", { params: { user_id: member.user_id }, body: { role } });
    // What one may do oneself is in the session.
    if (isMe) await renew();
    onClose();
    await onDone(`${member.name} is ${roleNames[role].toLowerCase()} now.`);
  };
  return (
    <Dialog title={`Role of ${member.name}`} onClose={onClose}>
      <Form sending={sending} onSend={save}>
        <SelectField
          label="Role"
          name="role"
          value={role}
          choices={roleChoices}
          onChoice={setRole}
          hint={roleWords[role]}
          sending={sending}
        />
        {isMe && role !== member.role && <p class="notice">This is your own role. You cannot take it back yourself.</p>}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Not now
          </button>
          <SubmitButton sending={sending}>Save role</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
