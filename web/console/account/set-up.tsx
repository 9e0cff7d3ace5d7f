import { useState } from "preact/hooks";
import { linkToken } from "../boot.ts";
import { navigate } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post, startSession } from "../session.ts";
import { AccountCard, PASSWORD_HINT } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";

const nextStepFor = (status: number): string =>
  status === 409 ? "The organization already exists." : "The operator of the service can print a new link with: npx countersign setup-link";

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
    <AccountCard title="Set up your organization" lead="You become its first admin.">
      <Form sending={sending} onSend={create}>
        <TextField
          label="Organization"
          name="org_name"
          autoComplete="organization"
          value={given.org_name}
          onText={change("org_name")}
          sending={sending}
        />
        <TextField label="Your name" name="name" autoComplete="name" value={given.name} onText={change("name")} sending={sending} />
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          value={given.email}
          onText={change("email")}
          sending={sending}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={PASSWORD_HINT}
          value={given.password}
          onText={change("password")}
          sending={sending}
        />
        <SubmitButton sending={sending} wide>
          Create organization
        </SubmitButton>
      </Form>
    </AccountCard>
  );
}
