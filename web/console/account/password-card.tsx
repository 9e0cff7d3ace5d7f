import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { navigate } from "../navigation.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { logOut, me } from "../session.ts";
import { PASSWORD_HINT } from "./card.tsx";

interface PasswordCardProps {
  readonly isChanged: boolean;
  readonly onChanged: () => void;
}

/** A new password ends all sessions of the user, including this one. */
export function PasswordCard({ isChanged, onChanged }: PasswordCardProps) {
  const sending = useSending();
  const [current_password, setCurrent] = useState("");
  const [new_password, setNew] = useState("");
  if (isChanged) return <Changed />;
  const save = async () => {
    await call("update_password", { body: { current_password, new_password } });
    onChanged();
  };
  return (
    <Card title="Password">
      <Form sending={sending} onSend={save}>
        {/* Tells password managers which account this is. */}
        <input
          class="hidden-visually"
          type="email"
          autoComplete="username"
          value={me().user.email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <TextField
          label="Current password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          value={current_password}
          onText={setCurrent}
          sending={sending}
        />
        <TextField
          label="New password"
          name="new_password"
          type="password"
          autoComplete="new-password"
          hint={PASSWORD_HINT}
          value={new_password}
          onText={setNew}
          sending={sending}
        />
        <p class="quiet">You will be signed out everywhere, including here. Then log in with the new password.</p>
        <div class="buttons">
          <SubmitButton sending={sending}>Change password</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function Changed() {
  const sending = useSending();
  const leave = async () => {
    await logOut();
    navigate("/login", { replace: true });
  };
  return (
    <Card title="Password changed">
      <p role="alert">You are signed out everywhere, including here. Log in with the new password.</p>
      <div class="buttons">
        <ActionButton sending={sending} onAction={leave} kind="primary">
          Log in again
        </ActionButton>
      </div>
      <ErrorNotice error={sending.error} />
    </Card>
  );
}
