import { useState } from "preact/hooks";
import type { Refusal } from "../../http.ts";
import { mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { Act } from "../parts/button.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";

interface TooManyProps {
  readonly refusal: Refusal;
  readonly email: string;
}

/** The password was not tried. What helps: a mailed link for a new browser, else time or another password. */
export function TooMany({ refusal, email }: TooManyProps) {
  return (
    <div class="notice bad stack tight" role="alert">
      {refusal.code === "unknown_browser" ? <NewBrowser email={email} /> : <OwnFailures seconds={refusal.retry_after_s ?? 60} />}
      {refusal.request_id !== "" && <p class="reference">Reference {refusal.request_id}</p>}
    </div>
  );
}

function NewBrowser({ email }: { email: string }) {
  const sending = useSending();
  const [isAsked, setAsked] = useState(false);
  const askFor = async () => {
    await post("/auth/known-browser/request", { email });
    setAsked(true);
  };
  if (isAsked) {
    return (
      <>
        <p>
          If {email} has an account, a link was mailed to it in the last hour. Open it in this browser, then sign in with your password.
          Browsers that you have used before work without it.
        </p>
        {mail === "outbox" && <NoMailServer command="users unlock" />}
      </>
    );
  }
  return (
    <>
      <p>There were too many failed attempts, so signing in with a new browser needs a link that we mail to you.</p>
      <div class="buttons">
        <Act sending={sending} onAct={askFor}>
          Mail me a link
        </Act>
      </div>
      <Trouble of={sending.error} />
    </>
  );
}

const OwnFailures = ({ seconds }: { seconds: number }) => (
  <p>
    Too many failed attempts. Try again in {waitOf(seconds)}, or <Link to="/reset">choose a new password</Link>.
  </p>
);

const waitOf = (seconds: number): string => {
  if (seconds < 120) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
};

/** For those who wait for a mail that cannot come. */
export const NoMailServer = ({ command }: { command: string }) => (
  <p class="small">This installation has no mail server. Its operator can help with: npx countersign {command}</p>
);
