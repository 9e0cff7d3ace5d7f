import { useState } from "preact/hooks";
import { linkToken, mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { AccountCard, PASSWORD_HINT } from "./card.tsx";
import { BrokenLink, isBroken } from "./links.tsx";
import { NoMailServer } from "./too-many.tsx";

export const Reset = () => (linkToken === null ? <AskForLink /> : <ChoosePassword token={linkToken} />);

function AskForLink() {
  const sending = useSending();
  const [email, setEmail] = useState("");
  const [isAsked, setAsked] = useState(false);
  if (isAsked) {
    return (
      <AccountCard
        title="Check your e-mail"
        lead={`If ${email.trim()} has an account, we have sent it a link to set a new password. It works once, for one hour.`}
      >
        {mail === "outbox" && <NoMailServer command="users reset-link" />}
        <p>
          <Link to="/login">Back to log-in</Link>
        </p>
      </AccountCard>
    );
  }
  const askFor = async () => {
    await post("request_password_reset", { email: email.trim() });
    setAsked(true);
  };
  return (
    <AccountCard title="Reset password" lead="We will send you a link to set a new password.">
      <Form sending={sending} onSend={askFor}>
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
          sending={sending}
        />
        <SubmitButton sending={sending} wide>
          Send link
        </SubmitButton>
      </Form>
      <p>
        <Link to="/login">Back to log-in</Link>
      </p>
    </AccountCard>
  );
}

function ChoosePassword({ token }: { token: string }) {
  const sending = useSending();
  const [password, setPassword] = useState("");
  const [isDone, setDone] = useState(false);
  if (isBroken(sending.error)) return <BrokenLink error={sending.error} again="Request a new link. A link works once, for one hour." />;
  if (isDone) {
    return (
      <AccountCard title="Password changed" lead="You have been signed out everywhere. Log in with the new password.">
        <Link to="/login" class="button primary wide">
          Log in
        </Link>
      </AccountCard>
    );
  }
  const save = async () => {
    await post("confirm_password_reset", { token, password });
    setDone(true);
  };
  return (
    <AccountCard title="Choose a new password" lead="You will be signed out everywhere.">
      <Form sending={sending} onSend={save}>
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={PASSWORD_HINT}
          value={password}
          onText={setPassword}
          sending={sending}
        />
        <SubmitButton sending={sending} wide>
          Save password
        </SubmitButton>
      </Form>
    </AccountCard>
  );
}
