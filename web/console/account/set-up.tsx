import { useState } from "preact/hooks";
import { linkToken } from "../boot.ts";
import { navigate } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post, startSession } from "../session.ts";
import { en } from "../words/open-links/en.ts";
import { AccountCard } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";

const words = en.setUp;

const nextStepFor = (status: number): string => (status === 409 ? words.exists : words.again);

/** Opened by the one-time link that the service prints at its first start. */
export function SetUp() {
  const sending = useSending();
  const [given, setGiven] = useState({ org_name: "", name: "", email: "", password: "" });
  const change = (name: keyof typeof given) => (value: string) => setGiven((now) => ({ ...now, [name]: value }));
  if (linkToken === null) return <IncompleteLink />;
  if (isBroken(sending.error)) return <BrokenLink error={sending.error} again={nextStepFor(sending.error.status)} />;
  const token = linkToken;
  const create = async () => {
    startSession(await post("set_up", { token, ...given }));
    navigate("/welcome", { replace: true });
  };
  return (
    <AccountCard title={words.title} lead={words.lead}>
      <Form sending={sending} onSend={create}>
        <TextField
          label={words.org}
          name="org_name"
          required
          autoComplete="organization"
          value={given.org_name}
          onText={change("org_name")}
          sending={sending}
        />
        <TextField label={en.name} name="name" required autoComplete="name" value={given.name} onText={change("name")} sending={sending} />
        <TextField
          label={en.email}
          name="email"
          required
          type="email"
          autoComplete="username"
          value={given.email}
          onText={change("email")}
          sending={sending}
        />
        <TextField
          label={en.password}
          name="password"
          required
          type="password"
          autoComplete="new-password"
          hint={en.passwordHint}
          value={given.password}
          onText={change("password")}
          sending={sending}
        />
        <SubmitButton sending={sending} wide>
          {words.button}
        </SubmitButton>
      </Form>
    </AccountCard>
  );
}
