import { useState } from "preact/hooks";
import { linkToken } from "../boot.ts";
import { Link } from "../link.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { AccountCard } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";

export const KnownBrowser = () => (linkToken === null ? <IncompleteLink /> : <UseBrowser token={linkToken} />);

/** The button uses up the link, not the visit: mail scanners open links too. */
function UseBrowser({ token }: { token: string }) {
  const sending = useSending();
  const [isDone, setDone] = useState(false);
  if (isBroken(sending.error))
    return <BrokenLink error={sending.error} again="Request a new link on the log-in page. A link works once, for one hour." />;
  if (isDone) {
    return (
      <AccountCard title="Browser confirmed" lead="Failed attempts by others no longer block this browser. Log in with your password.">
        <Link to="/login" class="button primary wide">
          Log in
        </Link>
      </AccountCard>
    );
  }
  const confirm = async () => {
    await post("know_browser", { token });
    setDone(true);
  };
  return (
    <AccountCard
      title="Confirm this browser?"
      lead="This browser is remembered for your account for 180 days. You still need your password to log in."
    >
      <Form sending={sending} onSend={confirm}>
        <SubmitButton sending={sending} wide>
          Confirm browser
        </SubmitButton>
      </Form>
    </AccountCard>
  );
}
