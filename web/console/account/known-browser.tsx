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

/** A press spends the link, and not the visit: programs that look into mail open links too. */
function UseBrowser({ token }: { token: string }) {
  const sending = useSending();
  const [isDone, setDone] = useState(false);
  if (isBroken(sending.error))
    return <BrokenLink error={sending.error} again="Ask for another on the sign-in page: a link works once, for an hour." />;
  if (isDone) {
    return (
      <AccountCard title="You can use this browser" lead="Failed attempts of others do not stop it any more. Sign in with your password.">
        <Link to="/login" class="button primary wide">
          Sign in
        </Link>
      </AccountCard>
    );
  }
  const know = async () => {
    await post("know_browser", { token });
    setDone(true);
  };
  return (
    <AccountCard title="Use this browser?" lead="It is remembered for your account for 180 days. You still need your password to sign in.">
      <Form sending={sending} onSend={know}>
        <SubmitButton sending={sending} wide>
          Use this browser
        </SubmitButton>
      </Form>
    </AccountCard>
  );
}
