import { useState } from "preact/hooks";
import type { ApiError } from "../../http.ts";
import { mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { ActionButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";

interface TooManyProps {
  readonly refusal: ApiError;
  readonly email: string;
}

/** Too many failed attempts; the password was not checked. A new browser needs a link by e-mail; others wait or reset the password. */
export function TooMany({ refusal, email }: TooManyProps) {
  const sending = useSending();
  const [isAsked, setAsked] = useState(false);
  if (isAsked) {
    return (
      <div class="notice" role="status">
        <p>
          If {email} has an account, we have sent it a link. At most one is sent per hour. Open it in this browser, then log in with your
          password.
        </p>
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
        <p>Too many failed attempts. Log in with a browser that you have used before, or confirm this one with a link by e-mail.</p>
      ) : (
        <p>
          Too many failed attempts. Try again in {waitOf(refusal.retry_after_s ?? 60)}, or <Link to="/reset">reset your password</Link>.
        </p>
      )}
      {isNewBrowser && mail === "server" && (
        <div class="buttons">
          <ActionButton sending={sending} onAction={askFor}>
            Send link
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

/** Shown where no e-mail can be sent. */
export const NoMailServer = ({ command }: { command: string }) => (
  <p class="small">This installation has no mail server. The operator can help with: npx countersign {command}</p>
);
