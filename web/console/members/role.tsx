import type { Member } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { renew } from "../session.ts";
import { en } from "../words/members/en.ts";
import { roleChoices, roleNames, roleWords } from "./api.ts";

const words = en.people;

interface RoleDialogProps {
  readonly member: Member;
  readonly isMe: boolean;
  readonly onDone: (text: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Changes the role of a member. The service refuses to demote the last admin. */
export function RoleDialog({ member, isMe, onDone, onClose }: RoleDialogProps) {
  const sending = useSending();
  const [role, setRole] = useState(member.role);
  const save = async () => {
    await call("update_role", { params: { user_id: member.user_id }, body: { role } });
    // The user's own permissions are part of the session.
    if (isMe) await renew();
    onClose();
    await onDone(words.newRole(member.name, roleNames[role].toLowerCase()));
  };
  return (
    <Dialog title={words.changeRoleOf(member.name)} onClose={onClose}>
      <Form sending={sending} onSend={save}>
        <SelectField
          label={en.role}
          name="role"
          value={role}
          choices={roleChoices()}
          onChoice={setRole}
          hint={roleWords[role]}
          sending={sending}
        />
        {isMe && role !== member.role && <p class="notice">{words.ownRole}</p>}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={sending}>{words.changeRole}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
