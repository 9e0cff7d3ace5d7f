import { useState } from "preact/hooks";
import { linkToken } from "../boot.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { en } from "../words/sso/en.ts";
import { AccountCard } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";

const words = en.domain;

export const ConfirmDomain = () => (linkToken === null ? <IncompleteLink /> : <Confirm token={linkToken} />);

/** The button uses up the link, not the visit: mail scanners open links too. */
function Confirm({ token }: { token: string }) {
  const sending = useSending();
  const [done, setDone] = useState<{ readonly domain: string; readonly org_name: string } | null>(null);
  if (isBroken(sending.error)) return <BrokenLink error={sending.error} again={words.again} />;
  if (done !== null) return <AccountCard title={words.doneTitle} lead={words.done(done.domain, done.org_name)} />;
  const confirm = async () => setDone(await post("confirm_domain", { token }));
  return (
    <AccountCard title={words.title} lead={words.lead}>
      <Form sending={sending} onSend={confirm}>
        <SubmitButton sending={sending} wide>
          {words.button}
        </SubmitButton>
      </Form>
    </AccountCard>
  );
}
