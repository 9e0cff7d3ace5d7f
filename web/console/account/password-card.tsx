import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { navigate } from "../navigation.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { showToast } from "../parts/toast.tsx";
import { useSending } from "../sending.ts";
import { logOut, me } from "../session.ts";
import { en } from "../words/account/en.ts";
import { en as links } from "../words/open-links/en.ts";
import { en as ownDetails } from "../words/own-details/en.ts";

const words = en.password;
const own = ownDetails.password;

interface PasswordCardProps {
  readonly hasPassword: boolean;
  readonly isChanged: boolean;
  readonly onChanged: () => void;
  readonly onRemoved: () => Promise<unknown>;
}

/** A new password ends all sessions of the user, including this one. */
export function PasswordCard({ hasPassword, isChanged, onChanged, onRemoved }: PasswordCardProps) {
  const sending = useSending();
  const [current_password, setCurrent] = useState("");
  const [new_password, setNew] = useState("");
  const [isRemoving, setRemoving] = useState(false);
  if (isChanged) return <Changed />;
  const save = async () => {
    await call("update_password", { body: { ...(hasPassword && { current_password }), new_password } });
    onChanged();
  };
  const remove = async () => {
    await call("remove_password");
    setCurrent("");
    showToast(own.removed);
    await onRemoved();
  };
  return (
    <Card title={words.title}>
      {!hasPassword && <p>{own.none}</p>}
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
        {hasPassword && (
          <TextField
            label={words.current}
            name="current_password"
            required
            type="password"
            autoComplete="current-password"
            value={current_password}
            onText={setCurrent}
            sending={sending}
          />
        )}
        <TextField
          label={words.new}
          name="new_password"
          required
          type="password"
          autoComplete="new-password"
          hint={links.passwordHint}
          value={new_password}
          onText={setNew}
          sending={sending}
        />
        <p class="quiet">{hasPassword ? words.hint : own.setHint}</p>
        <div class="buttons">
          <SubmitButton sending={sending}>{hasPassword ? words.button : own.set}</SubmitButton>
          {hasPassword && (
            <button type="button" class="button" onClick={() => setRemoving(true)}>
              {own.remove}
            </button>
          )}
        </div>
      </Form>
      {isRemoving && (
        <Confirm title={own.removeTitle} button={own.remove} kind="danger" onConfirm={remove} onClose={() => setRemoving(false)}>
          {own.removeText}
        </Confirm>
      )}
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
    <Card title={words.doneTitle}>
      <p role="alert">{words.done}</p>
      <div class="buttons">
        <ActionButton sending={sending} onAction={leave} kind="primary">
          {words.again}
        </ActionButton>
      </div>
      <ErrorNotice error={sending.error} />
    </Card>
  );
}
