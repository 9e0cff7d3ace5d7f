import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { Link } from "../link.tsx";
import { navigate, query } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { lazy } from "../parts/lazy.tsx";
import { useSending } from "../sending.ts";
import { logIn } from "../session.ts";
import { en as words } from "../words/log-in/en.ts";
import { AccountCard } from "./card.tsx";

const PasskeyLogIn = lazy(async () => (await import("./too-many.tsx")).PasskeyLogIn);
const SsoLogIn = lazy(async () => (await import("./too-many.tsx")).SsoLogIn);
const TooMany = lazy(async () => (await import("./too-many.tsx")).TooMany);

export function LogIn() {
  const sending = useSending();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [refused, setRefused] = useState<ApiError | null>(null);
  const leave = () => navigate(nextOf(query.peek().get("next")), { replace: true });
  const submit = async () => {
    setRefused(null);
    try {
      if (!(await logIn(email.trim(), password))) return;
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 429 && error.code !== "sso_required")) throw error;
      setRefused(error);
      return;
    }
    leave();
  };
  return (
    <AccountCard title={words.title}>
      <Form sending={sending} onSend={submit}>
        <TextField
          label={words.email}
          name="email"
          required
          type="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
          sending={sending}
        />
        <TextField
          label={words.password}
          name="password"
          required
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          sending={sending}
        />
        <SubmitButton sending={sending} wide>
          {words.button}
        </SubmitButton>
      </Form>
      <PasskeyLogIn onDone={leave} />
      <SsoLogIn key={refused?.request_id} email={email.trim()} required={refused?.code === "sso_required" ? refused : null} />
      {refused?.status === 429 && <TooMany key={refused.request_id} refusal={refused} email={email.trim()} />}
      <p>
        <Link to="/reset">{words.forgot}</Link>
      </p>
    </AccountCard>
  );
}

/** Only paths of the console are accepted, so that a link cannot redirect to another site after logging in. */
const nextOf = (wanted: string | null): string => (wanted !== null && /^\/(?![/\\])/.test(wanted) ? wanted : "/");
