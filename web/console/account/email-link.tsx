import { useState } from "preact/hooks";
import { linkToken, mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { query } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { en } from "../words/open-links/en.ts";
import { AccountCard } from "./card.tsx";
import { BrokenLink, IncompleteLink, isBroken } from "./links.tsx";

/** The links that a change of an e-mail address mails: to the new address, and to the old one. */
export function EmailLink() {
  if (linkToken === null) return <IncompleteLink />;
  return <UseLink token={linkToken} act={query.peek().has("undo") ? "undo" : "confirm"} />;
}

interface UseLinkProps {
  readonly token: string;
  readonly act: "confirm" | "undo";
}

/** The button uses up the link, not the visit: mail scanners open links too. */
function UseLink({ token, act }: UseLinkProps) {
  const sending = useSending();
  const [email, setEmail] = useState<string | null>(null);
  const words = en.newEmail[act];
  if (isBroken(sending.error)) return <BrokenLink error={sending.error} again={words.again} />;
  if (email !== null) {
    return (
      <AccountCard title={words.doneTitle} lead={words.done(email, mail === "server")}>
        <Link to="/login" class="button primary wide">
          {en.newEmail.next}
        </Link>
      </AccountCard>
    );
  }
  const send = async () => setEmail((await post(act === "undo" ? "undo_email_change" : "confirm_email_change", { token })).email);
  return (
    <AccountCard title={words.title} lead={words.lead}>
      <Form sending={sending} onSend={send}>
        <SubmitButton sending={sending} wide {...(act === "undo" && { kind: "danger" as const })}>
          {words.button}
        </SubmitButton>
      </Form>
    </AccountCard>
  );
}
