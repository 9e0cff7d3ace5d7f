import { useEffect, useRef } from "preact/hooks";
import { tellHost } from "../../host/tell-host.ts";
import { words } from "../../i18n/i18n.ts";
import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { canRenew, slug } from "../../session.ts";
import { renewSession } from "../actions.ts";
import { opened } from "../ceremony.ts";
import { Heading } from "./heading.tsx";

export function SessionEndedDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const continueSigning = () => {
    if (slug !== null) void renewSession();
    else tellHost({ type: "token-needed" });
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      role="alertdialog"
      aria-label={lazyWords.value.endedTitle}
      onCancel={(event) => event.preventDefault()}
    >
      <div>
        <Heading>{lazyWords.value.endedTitle}</Heading>
        {opened.value !== null && <p>{lazyWords.value.endedLead}</p>}
        {canRenew ? (
          <button type="button" class="button primary" onClick={continueSigning}>
            {words.value.continue}
          </button>
        ) : (
          <p>{lazyWords.value.endedOpenAgain}</p>
        )}
      </div>
    </dialog>
  );
}
