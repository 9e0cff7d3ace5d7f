import { useState } from "preact/hooks";
import { ApiError } from "../http.ts";
import { Dialog } from "../ui/dialog.tsx";
import { SubmitButton } from "./parts/button.tsx";
import { TextField } from "./parts/field.tsx";
import { Form } from "./parts/form.tsx";
import { useSending } from "./sending.ts";
import { logIn, logOut, me } from "./session.ts";
import { en as words } from "./words/session/en.ts";

const stay = () => undefined;

/** Shown over the current screen when the session has ended. What the user entered stays. */
export function LogInAgain() {
  const { user, org } = me();
  const sending = useSending();
  const [password, setPassword] = useState("");
  const enter = () =>
    logIn(user.email, password, org.org_id).catch((error: unknown) => {
      // The API does not say which of the two is wrong. Here only the password was asked for.
      if (error instanceof ApiError && error.status === 401) error.message = words.wrong;
      throw error;
    });
  return (
    <Dialog title={words.ended} onClose={stay}>
      <p>{words.endedText}</p>
      <Form sending={sending} onSend={enter}>
        <input class="hidden-visually" type="email" autoComplete="username" value={user.email} readOnly tabIndex={-1} aria-hidden="true" />
        <TextField
          label={words.password(user.email)}
          name="password"
          required
          type="password"
          autoFocus
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={() => void sending.run(logOut)}>
            {words.signOut}
          </button>
          <SubmitButton sending={sending}>{words.logIn}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
