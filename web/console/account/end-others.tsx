import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Confirm } from "../parts/confirm.tsx";
import { showToast } from "../parts/toast.tsx";
import { me } from "../session.ts";
import { en } from "../words/account/en.ts";

const words = en.sessions.others;

/** Ends all sessions of the user but this one. */
export function EndOthers({ onEnded }: { readonly onEnded: () => Promise<unknown> }) {
  const [isAsking, setAsking] = useState(false);
  const end = async () => {
    const { ended } = await call("end_other_sessions");
    showToast(words.ended(ended));
    await onEnded();
  };
  return (
    <>
      <div class="buttons">
        <button type="button" class="button" onClick={() => setAsking(true)}>
          {words.button}
        </button>
      </div>
      {isAsking && (
        <Confirm title={words.title} button={words.button} kind="danger" onConfirm={end} onClose={() => setAsking(false)}>
          {me().sso_connection_id === undefined ? words.text : words.textHere}
        </Confirm>
      )}
    </>
  );
}
