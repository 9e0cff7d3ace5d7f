import { useState } from "preact/hooks";
import type { ApiError } from "../../http.ts";
import { mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { ActionButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useSending } from "../sending.ts";
import { post } from "../session.ts";
import { en as words } from "../words/too-many/en.ts";

// In this part, because each further one costs the first page the name of its file.
export { PasskeyLogIn } from "./passkey-log-in.tsx";
export { SsoLogIn } from "./sso-log-in.tsx";

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
        <p>{words.asked(email)}</p>
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
        <p>{words.newBrowser}</p>
      ) : (
        <p>
          {words.wait(waitOf(refusal.retry_after_s ?? 60))} <Link to="/reset">{words.reset}</Link>.
        </p>
      )}
      {isNewBrowser && mail === "server" && (
        <div class="buttons">
          <ActionButton sending={sending} onAction={askFor}>
            {words.send}
          </ActionButton>
        </div>
      )}
      {isNewBrowser && mail === "outbox" && <NoMailServer command="users unlock" />}
      <ErrorNotice error={sending.error} />
      {refusal.request_id !== "" && <p class="reference">{words.reference(refusal.request_id)}</p>}
    </div>
  );
}

const waitOf = (seconds: number): string => (seconds < 120 ? words.seconds(seconds) : words.minutes(Math.ceil(seconds / 60)));

/** Shown where no e-mail can be sent. */
export const NoMailServer = ({ command }: { command: string }) => <p class="small">{words.noMail(command)}</p>;
