import { useState } from "preact/hooks";
import { useAsked } from "../asked.ts";
import { linkToken } from "../boot.ts";
import { Submit } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { go } from "../place.ts";
import { useSending } from "../sending.ts";
import { post, type Role, type SignedIn, take } from "../session.ts";
import { AccountCard, PASSWORD_HINT } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";

interface Invitation {
  readonly org_name: string;
  readonly email: string;
  readonly role: Role;
  readonly has_account: boolean;
}

export const Invite = () => (linkToken === null ? <IncompleteLink /> : <Invited token={linkToken} />);

function Invited({ token }: { token: string }) {
  const asked = useAsked("invitation", () => post<Invitation>("/auth/invitations/preview", { token }));
  const sending = useSending();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const broken = [asked.error, sending.error].find(isBroken);
  if (broken !== undefined) return <BrokenLink error={broken} again="Ask an admin of the organization for another." />;
  if (asked.data === null) return <AccountCard title="One moment…">{<Trouble of={asked.error} again={asked.reload} />}</AccountCard>;
  const { org_name, email, role, has_account } = asked.data;
  const join = async () => {
    take(await post<SignedIn>("/auth/invitations/accept", { token, password, ...(!has_account && { name }) }));
    go("/", { replace: true });
  };
  return (
    <AccountCard title={`Join ${org_name}`} lead={`You are invited as ${role}, with the address ${email}.`}>
      <Form sending={sending} onSend={join}>
        {!has_account && <TextField label="Your name" name="name" autoComplete="name" value={name} onText={setName} sending={sending} />}
        <TextField
          label={has_account ? "Your present password" : "Password"}
          name="password"
          type="password"
          autoComplete={has_account ? "current-password" : "new-password"}
          value={password}
          onText={setPassword}
          sending={sending}
          {...(!has_account && { hint: PASSWORD_HINT })}
        />
        <Submit sending={sending} wide>
          Join
        </Submit>
      </Form>
    </AccountCard>
  );
}
