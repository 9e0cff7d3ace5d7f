import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { Link } from "../link.tsx";
import { navigate, query } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { logIn } from "../session.ts";
import { AccountCard } from "./card.tsx";
import { TooMany } from "./too-many.tsx";

export function LogIn() {
  const sending = useSending();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [refused, setRefused] = useState<ApiError | null>(null);
  const submit = async () => {
    setRefused(null);
    try {
      await logIn(email.trim(), password);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      setRefused(error);
      return;
    }
    navigate(nextOf(query.peek().get("next")), { replace: true });
  };
  return (
    <AccountCard title="Log in">
      <Form sending={sending} onSend={submit}>
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
          sending={sending}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          sending={sending}
        />
        <SubmitButton sending={sending} wide>
          Log in
        </SubmitButton>
      </Form>
      {refused !== null && <TooMany key={refused.request_id} refusal={refused} email={email.trim()} />}
      <p>
        <Link to="/reset">Forgot password?</Link>
      </p>
    </AccountCard>
  );
}

/** Only paths of the console are accepted, so that a link cannot redirect to another site after logging in. */
const nextOf = (wanted: string | null): string => (wanted !== null && /^\/(?![/\\])/.test(wanted) ? wanted : "/");
