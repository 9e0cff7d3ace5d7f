import { useState } from "preact/hooks";
import { linkToken, mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { AccountCard } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";
import { NoMailServer } from "./too-many.tsx";

export const NotMe = () => (linkToken === null ? <IncompleteLink /> : <Report token={linkToken} />);

/** The button uses up the link, not the visit: mail scanners open links too. */
function Report({ token }: { token: string }) {
  const sending = useSending();
  const [isDone, setDone] = useState(false);
  if (isBroken(sending.error)) {
    return <BrokenLink error={sending.error} again="To be safe, reset your password. That signs you out everywhere." />;
  }
  if (isDone) {
    return (
      <AccountCard
        title="Session ended"
        lead={`The person who logged in knew your password, so choose a new one now.${mail === "server" ? " We have sent you a link for that. It works once, for one hour." : ""}`}
      >
        {mail === "outbox" && <NoMailServer command="users reset-link" />}
        <p>
          <Link to="/login">Back to log-in</Link>
        </p>
      </AccountCard>
    );
  }
  const report = async () => {
    await post("report_log_in", { token });
    setDone(true);
  };
  return (
    <AccountCard title="Was this not you?" lead="This ends the session described in our e-mail. After that, choose a new password.">
      <Form sending={sending} onSend={report}>
        <SubmitButton sending={sending} kind="danger" wide>
          End session
        </SubmitButton>
      </Form>
      <p>
        <Link to="/login">It was me</Link>
      </p>
    </AccountCard>
  );
}
