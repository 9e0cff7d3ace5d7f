import { useState } from "preact/hooks";
import { Dialog } from "../ui/dialog.tsx";
import { navigate } from "./navigation.ts";
import { SubmitButton } from "./parts/button.tsx";
import { TextField } from "./parts/field.tsx";
import { Form } from "./parts/form.tsx";
import { useSending } from "./sending.ts";
import { isEnded, logIn, logOut, me, otherSession, startSession, switchOrg } from "./session.ts";

/** Shown over the current screen when the user must log in again or choose an organization. What they entered stays. */
export function SessionDialogs() {
  if (isEnded.value) return <LogInAgain />;
  return otherSession.value === null ? null : <OtherSession />;
}

const stay = () => undefined;

function LogInAgain() {
  const { user, org } = me();
  const sending = useSending();
  const [password, setPassword] = useState("");
  return (
    <Dialog title="Your session has ended" onClose={stay}>
      <p>Log in again to continue. Everything you entered is still here.</p>
      <Form sending={sending} onSend={() => logIn(user.email, password, org.org_id)}>
        <input class="hidden-visually" type="email" autoComplete="username" value={user.email} readOnly tabIndex={-1} aria-hidden="true" />
        <TextField
          label={`Password for ${user.email}`}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={() => void sending.run(logOut)}>
            Sign out
          </button>
          <SubmitButton sending={sending}>Log in</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

/** The session changed in another tab. This tab writes nothing until the user decides. */
function OtherSession() {
  const { user, org } = me();
  const sending = useSending();
  const other = otherSession.value;
  if (other === null) return null;
  const isOther = other.user.user_id !== user.user_id;
  const follow = async () => {
    startSession(other);
    navigate("/");
  };
  return (
    <Dialog title={isOther ? `You are now logged in as ${other.user.name}` : `You switched to ${other.org.name}`} onClose={stay}>
      <p>
        {isOther
          ? `You logged in as ${other.user.name} in another tab. This tab still belongs to ${user.name}.`
          : `You switched organizations in another tab. This tab is still in ${org.name}.`}{" "}
        Nothing was sent from it.
      </p>
      <Form sending={sending} onSend={follow}>
        <div class="buttons end">
          {!isOther && (
            <button type="button" class="button" onClick={() => void sending.run(() => switchOrg(org.org_id))}>
              Stay in {org.name}
            </button>
          )}
          <SubmitButton sending={sending}>{isOther ? `Continue as ${other.user.name}` : `Switch to ${other.org.name}`}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
