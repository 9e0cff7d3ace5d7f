import { askToLogIn, isSupported } from "../../passkeys.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useSending } from "../sending.ts";
import { post, startSession } from "../session.ts";
import { en as words } from "../words/passkeys/en.ts";
import { explained } from "./passkey-error.ts";

/** Logs in without password and code. Browsers without passkeys do not show it. */
export function PasskeyLogIn({ onDone }: { onDone: () => void }) {
  const sending = useSending();
  if (!isSupported) return null;
  const logIn = async () => {
    const { challenge } = await post("start_passkey", {});
    startSession(await post("log_in_by_passkey", { passkey: await explained(askToLogIn(challenge)) }));
    onDone();
  };
  return (
    <>
      <button type="button" class="button wide" disabled={sending.isBusy} onClick={() => void sending.run(logIn)}>
        {words.logIn}
      </button>
      <ErrorNotice error={sending.error} />
    </>
  );
}
