import { useState } from "preact/hooks";
import { linkToken, mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { query } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { en } from "../words/open-links/en.ts";
import { AccountCard } from "./card.tsx";
import { BrokenLink, isBroken } from "./links.tsx";
import { NoMailServer } from "./too-many.tsx";

const words = en.reset;

export function Reset() {
  if (linkToken === null) return <AskForLink />;
  return query.peek().has("factors") ? <RemoveFactors token={linkToken} /> : <ChoosePassword token={linkToken} />;
}

/** With the link that an admin requested for a user who lost their second factors. */
function RemoveFactors({ token }: { token: string }) {
  const sending = useSending();
  const [password, setPassword] = useState("");
  const [isDone, setDone] = useState(false);
  if (isBroken(sending.error)) return <BrokenLink error={sending.error} again={en.factors.again} />;
  if (isDone) {
    return (
      <AccountCard title={en.factors.doneTitle} lead={en.factors.done}>
        <Link to="/login" class="button primary wide">
          {en.logIn}
        </Link>
      </AccountCard>
    );
  }
  const remove = async () => {
    await post("use_factor_reset", { token, password });
    setDone(true);
  };
  return (
    <AccountCard title={en.factors.title} lead={en.factors.lead}>
      <Form sending={sending} onSend={remove}>
        <TextField
          label={en.password}
          name="password"
          required
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          sending={sending}
        />
        <SubmitButton sending={sending} wide>
          {en.factors.button}
        </SubmitButton>
      </Form>
    </AccountCard>
  );
}

function AskForLink() {
  const sending = useSending();
  const [email, setEmail] = useState("");
  const [isAsked, setAsked] = useState(false);
  if (isAsked) {
    return (
      <AccountCard title={words.checkTitle} lead={words.check(email.trim())}>
        {mail === "outbox" && <NoMailServer command="users reset-link" />}
        <p>
          <Link to="/login">{en.back}</Link>
        </p>
      </AccountCard>
    );
  }
  const askFor = async () => {
    await post("request_password_reset", { email: email.trim() });
    setAsked(true);
  };
  return (
    <AccountCard title={words.title} lead={words.lead}>
      <Form sending={sending} onSend={askFor}>
        <TextField
          label={en.email}
          name="email"
          required
          type="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
          sending={sending}
        />
        <SubmitButton sending={sending} wide>
          {words.send}
        </SubmitButton>
      </Form>
      <p>
        <Link to="/login">{en.back}</Link>
      </p>
    </AccountCard>
  );
}

function ChoosePassword({ token }: { token: string }) {
  const sending = useSending();
  const [password, setPassword] = useState("");
  const [isDone, setDone] = useState(false);
  if (isBroken(sending.error)) return <BrokenLink error={sending.error} again={words.again} />;
  if (isDone) {
    return (
      <AccountCard title={words.doneTitle} lead={words.done}>
        <Link to="/login" class="button primary wide">
          {en.logIn}
        </Link>
      </AccountCard>
    );
  }
  const save = async () => {
    await post("confirm_password_reset", { token, password });
    setDone(true);
  };
  return (
    <AccountCard title={words.choose} lead={words.chooseLead}>
      <Form sending={sending} onSend={save}>
        <TextField
          label={en.password}
          name="password"
          required
          type="password"
          autoComplete="new-password"
          hint={en.passwordHint}
          value={password}
          onText={setPassword}
          sending={sending}
        />
        <SubmitButton sending={sending} wide>
          {words.save}
        </SubmitButton>
      </Form>
    </AccountCard>
  );
}
