import { useState } from "preact/hooks";
import type { Refusal } from "../../http.ts";
import { mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { ActionButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";

interface TooManyProps {
  readonly refusal: Refusal;
  readonly email: string;
}

/** The password was not tried. What helps: a mailed link for a new browser, else time or another password. */
export function TooMany({ refusal, email }: TooManyProps) {
  const sending = useSending();
  const [isAsked, setAsked] = useState(false);
  if (isAsked) {
    return (
      <div class="notice" role="status">
        <p>If {email} has an account, we mail a link to it, once an hour. Open it in this browser, then sign in with your password.</p>
      </div>
    );
  }
  const askFor = async () => {
    await post("request_browser_link", { email });
    setAsked(true);
  };
  const isNewBrowser = refusal.code === "unknown_browser";
  return (
    <div class="notice bad stack tight" role="alert">
      {isNewBrowser ? (
        <p>
          There were too many failed attempts. Sign in with a browser that you have used before, or confirm this one with a mailed link.
        </p>
      ) : (
        <p>
          Too many failed attempts. Try again in {waitOf(refusal.retry_after_s ?? 60)}, or <Link to="/reset">choose a new password</Link>.
        </p>
      )}
      {isNewBrowser && mail === "server" && (
        <div class="buttons">
          <ActionButton sending={sending} onAction={askFor}>
            Mail me a link
          </ActionButton>
        </div>
      )}
      {isNewBrowser && mail === "outbox" && <NoMailServer command="users unlock" />}
      <ErrorNotice error={sending.error} />
      {refusal.request_id !== "" && <p class="reference">Reference {refusal.request_id}</p>}
    </div>
  );
}

const waitOf = (seconds: number): string => (seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`);

/** For people who would wait for a mail that cannot come. */
export const NoMailServer = ({ command }: { command: string }) => (
  <p class="small">This installation has no mail server. Its operator can help with: npx countersign {command}</p>
);
