import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { ssoCode, ssoError } from "../boot.ts";
import { Link } from "../link.tsx";
import { navigate } from "../navigation.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { post, startSession } from "../session.ts";
import { en } from "../words/sso/en.ts";
import { AccountCard } from "./card.tsx";
import { SSO_NEXT } from "./sso-log-in.tsx";
import { report } from "./sso-window.ts";

const words = en.returned;
const faults = { expired: words.expired, away: words.away, refused: words.refused };

/** Where the browser comes back to from the identity provider. Finishes a log-in, or what a page in another window waits for. */
export function SsoReturn() {
  const [error, setError] = useState<unknown>(null);
  const [isDone, setDone] = useState(false);
  const fault = ssoCode === null ? (faults[ssoError as keyof typeof faults] ?? words.expired) : null;
  useEffect(() => void finish().catch(fail), []);
  const fail = (problem: unknown) => {
    setError(problem);
    if (problem instanceof ApiError)
      report({ status: "failed", message: [problem.message, ...problem.details.map(({ message }) => message)].join(": ") });
  };
  const finish = async () => {
    if (ssoCode === null) {
      report({ status: "failed", message: fault ?? words.expired });
      return;
    }
    const finished = await post("finish_sso", { code: ssoCode });
    if ("token" in finished) {
      startSession(finished);
      const next = sessionStorage.getItem(SSO_NEXT) ?? "/";
      sessionStorage.removeItem(SSO_NEXT);
      // Only paths of the console are accepted.
      navigate(/^\/(?![/\\])/.test(next) ? next : "/", { replace: true });
      return;
    }
    report({ status: finished.status, ...(finished.email !== undefined && { email: finished.email }) });
    setDone(true);
    window.close();
  };
  if (isDone) return <AccountCard title={words.done} lead={words.close} />;
  if (fault === null && error === null) return <AccountCard title={words.title} lead={words.lead} />;
  return (
    <AccountCard title={words.failed} lead={fault ?? undefined}>
      <ErrorNotice error={error} />
      <p>
        <Link to="/login">{words.back}</Link>
      </p>
    </AccountCard>
  );
}
