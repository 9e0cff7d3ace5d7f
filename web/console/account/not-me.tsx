import { useState } from "preact/hooks";
import { linkToken, mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { en } from "../words/open-links/en.ts";
import { AccountCard } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";
import { NoMailServer } from "./too-many.tsx";

const words = en.notMe;

export const NotMe = () => (linkToken === null ? <IncompleteLink /> : <Report token={linkToken} />);

/** The button uses up the link, not the visit: mail scanners open links too. */
function Report({ token }: { token: string }) {
  const sending = useSending();
  const [isDone, setDone] = useState(false);
  if (isBroken(sending.error)) {
    return <BrokenLink error={sending.error} again={words.again} />;
  }
  if (isDone) {
    return (
      <AccountCard title={words.doneTitle} lead={`${words.done}${mail === "server" ? words.mailed : ""}`}>
        {mail === "outbox" && <NoMailServer command="users reset-link" />}
        <p>
          <Link to="/login">{en.back}</Link>
        </p>
      </AccountCard>
    );
  }
  const report = async () => {
    await post("report_log_in", { token });
    setDone(true);
  };
  return (
    <AccountCard title={words.title} lead={words.lead}>
      <Form sending={sending} onSend={report}>
        <SubmitButton sending={sending} kind="danger" wide>
          {words.button}
        </SubmitButton>
      </Form>
      <p>
        <Link to="/login">{words.wasMe}</Link>
      </p>
    </AccountCard>
  );
}
