import { useState } from "preact/hooks";
import { Dialog } from "../ui/dialog.tsx";
import { Submit } from "./parts/button.tsx";
import { TextField } from "./parts/field.tsx";
import { Form } from "./parts/form.tsx";
import { go } from "./place.ts";
import { useSending } from "./sending.ts";
import { elsewhere, isEnded, me, move, signIn, signOut, take } from "./session.ts";

/** Over whatever screen is there: somebody has to say who they are, or where they want to be. What they have entered stays. */
export function Again() {
  if (isEnded.value) return <SignInAgain />;
  return elsewhere.value === null ? null : <Elsewhere />;
}

const stay = () => undefined;

function SignInAgain() {
  const { user, org } = me();
  const sending = useSending();
  const [password, setPassword] = useState("");
  return (
    <Dialog title="Your session has ended" onClose={stay}>
      <p>Sign in again, and go on where you are. What you have entered is still here.</p>
      <Form sending={sending} onSend={() => signIn(user.email, password, org.org_id)}>
        <input class="hidden-visually" type="email" autoComplete="username" value={user.email} readOnly tabIndex={-1} aria-hidden="true" />
        <TextField
          label={`Password of ${user.email}`}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={() => void sending.run(signOut)}>
            Sign out
          </button>
          <Submit sending={sending}>Sign in</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

/** In another tab: this one writes nothing until it is clear where. */
function Elsewhere() {
  const { user, org } = me();
  const sending = useSending();
  const other = elsewhere.value;
  if (other === null) return null;
  const isOther = other.user.user_id !== user.user_id;
  const follow = async () => {
    take(other);
    go("/");
  };
  return (
    <Dialog title={isOther ? `You are signed in as ${other.user.name}` : `You went on to ${other.org.name}`} onClose={stay}>
      <p>In another tab. This one is still {isOther ? `${user.name}'s` : `in ${org.name}`}, and nothing was sent from it.</p>
      <Form sending={sending} onSend={follow}>
        <div class="buttons end">
          {!isOther && (
            <button type="button" class="button" onClick={() => void sending.run(() => move(org.org_id))}>
              Back to {org.name}
            </button>
          )}
          <Submit sending={sending}>{isOther ? `Go on as ${other.user.name}` : `Go to ${other.org.name}`}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
