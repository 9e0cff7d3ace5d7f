import { useState } from "preact/hooks";
import { linkToken } from "../boot.ts";
import { Link } from "../link.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { en } from "../words/open-links/en.ts";
import { AccountCard } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";

const words = en.browser;

export const KnownBrowser = () => (linkToken === null ? <IncompleteLink /> : <UseBrowser token={linkToken} />);

/** The button uses up the link, not the visit: mail scanners open links too. */
function UseBrowser({ token }: { token: string }) {
  const sending = useSending();
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
  const confirm = async () => {
    await post("know_browser", { token });
    setDone(true);
  };
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
